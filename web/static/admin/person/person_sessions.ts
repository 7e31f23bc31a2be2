import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Confirm } from "../dialog.ts";
import { revokeSession, sessionQuery, sessionsQuery, type Session } from "../documents/person_documents.ts";
import { ask, serverNow } from "../graphql_access.ts";
import { Answer, Badge, Empty, Moment, Pager } from "../parts.ts";
import { useAction, useQuery } from "../requests.ts";
import { nameMethods } from "../sign_ins/sign_in_methods.ts";
import { formatUserAgent } from "./format_user_agent.ts";

const pageSize = 10;
const now = "9999-12-31T00:00:00Z";

/** An account's sessions, the newest first, page by page. */
export function Sessions({ userId }: { userId: string }) {
  const [starts, setStarts] = useState([now]);
  const answer = useQuery(sessionsQuery, { user: userId, before: starts.at(-1) ?? now, limit: pageSize + 1 });
  return html`<section class="card" aria-labelledby="sessions">
    <h2 id="sessions">Sessions</h2>
    <${Answer} of=${answer}>
      ${({ user_session }: { user_session: Session[] }) => {
        const rows = user_session.slice(0, pageSize);
        const next = user_session.length > pageSize ? rows.at(-1)?.created_at : undefined;
        if (rows.length === 0) return html`<${Empty}>No session is stored: nobody has signed in lately.<//>`;
        return html`<ul class="sessions">
            ${rows.map((row) => html`<${SessionRow} key=${row.id} session=${row} reload=${answer.reload} />`)}
          </ul>
          <${Pager} starts=${starts} next=${next} setStarts=${setStarts} isBusy=${answer.isBusy} />`;
      }}
    <//>
  </section>`;
}

/** A session that was searched for by its id. */
export function FoundSession({ id }: { id: string }) {
  const answer = useQuery(sessionQuery, { id });
  return html`<section class="card found" aria-labelledby="found">
    <h2 id="found">The session that you looked for</h2>
    <${Answer} of=${answer}>
      ${({ user_session_by_pk: session }: { user_session_by_pk: Session | null }) =>
        session === null
          ? html`<${Empty}>It is deleted.<//>`
          : html`<ul class="sessions">
              <${SessionRow} session=${session} reload=${answer.reload} />
            </ul>`}
    <//>
  </section>`;
}

export function SessionBadge({ session }: { session: Session }) {
  if (session.revoked_at !== null) return html`<${Badge}>ended<//>`;
  if (new Date(session.refresh_token_expires_at) < new Date()) return html`<${Badge}>expired<//>`;
  return html`<${Badge} tone="good">live<//>`;
}

export const howSignedIn = ({ amr, role }: Pick<Session, "amr" | "role">): string => {
  if (role === "guest") return "guest";
  if (amr === null || amr.length === 0) return "opened by an operator";
  return nameMethods(amr);
};

function SessionRow({ session, reload }: { session: Session; reload: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const isLive = session.revoked_at === null && new Date(session.refresh_token_expires_at) > new Date();
  const revoke = useAction(async () => {
    await ask(revokeSession, { id: session.id, now: serverNow().toISOString() });
    setOpen(false);
    reload();
    return "The session is revoked.";
  });
  return html`<li>
    <div>
      <strong>${session.label ?? formatUserAgent(session.user_agent)}</strong>
      <${SessionBadge} session=${session} />
      <p class="soft" title=${session.user_agent ?? ""}>
        ${session.client ?? "address not stored"} · ${howSignedIn(session)} ·${" "}
        <${Moment} at=${session.created_at} />
        ${session.revoked_at !== null && html` · ended <${Moment} at=${session.revoked_at} />`}
      </p>
      <code class="id">${session.id}</code>
    </div>
    ${isLive && html`<button type="button" aria-label=${`Revoke session ${session.id}`} onClick=${() => setOpen(true)}>Revoke…</button>`}
    ${
      isOpen &&
      html`<${Confirm}
        title="Revoke this session?"
        verb="Revoke"
        action=${revoke}
        onConfirm=${revoke.run}
        onClose=${() => setOpen(false)}
      >
        <p>
          This device is signed out: ${session.label ?? formatUserAgent(session.user_agent)},
          ${session.client ?? "address not stored"}.
        </p>
      <//>`
    }
  </li>`;
}
