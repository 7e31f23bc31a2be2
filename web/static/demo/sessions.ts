import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { isOnline, latchkey } from "./latchkey.ts";

const liveSessions = "subscription { user_session(where: { revoked_at: { _is_null: true } }) { id } }";
const load = () => latchkey.GET("/auth/sessions");
type Session = NonNullable<Awaited<ReturnType<typeof load>>["data"]>["sessions"][number];

/** The user's sessions. The socket reports changes; the route returns everything that is shown. */
export function Sessions() {
  const sessions = useSignal<Session[] | undefined>(undefined);
  const isLive = useSignal(false);
  useEffect(() => {
    const stopFollowing = latchkey.onConnection((isConnected) => (isLive.value = isConnected));
    const stop = latchkey.live(liveSessions, ({ data }) => {
      if (data) void load().then(({ data }) => data && (sessions.value = data.sessions));
    });
    return () => {
      stop();
      stopFollowing();
    };
  }, []);

  const isFollowing = isLive.value && isOnline.value;
  return html`<section aria-labelledby="sessions">
    <header class="row">
      <h3 id="sessions">Your sessions</h3>
      <span class=${isFollowing ? "lamp on" : "lamp"} role="status">${isFollowing ? "Live" : "Connecting…"}</span>
    </header>
    ${
      sessions.value
        ? html`<ul class="sessions">
            ${sessions.value.map((session) => html`<${Entry} key=${session.session_id} session=${session} />`)}
          </ul>`
        : html`<p class="hint">Loading…</p>`
    }
    ${
      sessions.value?.length === 1 &&
      html`<p class="hint">No other device is signed in. Log in from another browser, and watch it appear here.</p>`
    }
  </section>`;
}

function Entry({ session }: { session: Session }) {
  const { session_id, current, created_at, client, user_agent } = session;
  const name = session.label ?? user_agent ?? "A device";
  const revoke = () => latchkey.DELETE("/auth/sessions/{session_id}", { params: { path: { session_id } } });
  const since = new Date(created_at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  return html`<li class="row">
    <div>
      <b>${name}</b>
      <p class="hint">Since ${since}${client && html`, from ${client}`}</p>
    </div>
    ${
      current
        ? html`<span class="badge">This one</span>`
        : html`<button type="button" aria-label=${`End the session of ${name}, since ${since}`} onClick=${revoke}>
            End
          </button>`
    }
  </li>`;
}
