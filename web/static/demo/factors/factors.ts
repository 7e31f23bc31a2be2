import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { Form } from "../form.ts";
import { latchkey, notice } from "../latchkey.ts";
import { AddApp } from "./add_app.ts";
import { AddPasskey } from "./add_passkey.ts";
import { hasPasskeys } from "./passkey_sign_in.ts";
import { RecoveryCodes } from "./recovery_codes.ts";

const load = () => latchkey.GET("/auth/factors");
type Listing = Awaited<ReturnType<typeof load>>;
type Factor = NonNullable<Listing["data"]>["factors"][number];

/** The user's second factors: what signs in beside the code or the password. */
export function Factors() {
  const listing = useSignal<Listing | undefined>(undefined);
  const codes = useSignal<string[] | undefined>(undefined);
  const reload = async () => {
    listing.value = await load();
    return listing.value;
  };
  useEffect(() => void reload(), []);

  async function onAdded(recoveryCodes: string[] | undefined) {
    codes.value = recoveryCodes;
    notice.value = "Your second factor is added.";
    await reload();
  }
  async function renewCodes() {
    const result = await latchkey.POST("/auth/recovery-codes");
    if (result.data) codes.value = result.data.recovery_codes;
    return result;
  }

  if (codes.value)
    return html`<section><${RecoveryCodes} codes=${codes.value} onKept=${() => (codes.value = undefined)} /></section>`;
  const factors = listing.value?.data?.factors.filter(({ confirmed }) => confirmed);
  return html`<section aria-labelledby="factors">
    <h3 id="factors">Second factors</h3>
    ${
      listing.value?.error
        ? html`<${Form} action="Show them" submit=${reload}>
            <p>Your second factors are shown to somebody who has just signed in.</p>
          <//>`
        : html`<p class="hint">
            ${factors?.length === 0 && "None. With one, your phone’s SMS or your password alone signs nobody in."}
          </p>`
    }
    ${
      factors?.length
        ? html`<ul class="sessions">
              ${factors.map((factor) => html`<${Entry} key=${factor.factor_id} factor=${factor} onRemoved=${reload} />`)}
            </ul>
            <${Form} action="New recovery codes" submit=${renewCodes}><//>`
        : ""
    }
    <details>
      <summary>Add an authenticator app</summary>
      <${AddApp} onAdded=${onAdded} />
    </details>
    ${
      hasPasskeys &&
      html`<details>
        <summary>Add a passkey</summary>
        <${AddPasskey} onAdded=${onAdded} />
      </details>`
    }
  </section>`;
}

function Entry({ factor, onRemoved }: { factor: Factor; onRemoved: () => Promise<unknown> }) {
  const { factor_id, kind, created_at } = factor;
  const name = factor.label ?? (kind === "totp" ? "Authenticator app" : "Passkey");
  const since = new Date(created_at).toLocaleDateString([], { dateStyle: "medium" });
  async function remove() {
    const result = await latchkey.DELETE("/auth/factors/{factor_id}", { params: { path: { factor_id } } });
    if (result.error) return result;
    notice.value = `${name} is removed.`;
    await onRemoved();
    return result;
  }
  return html`<li class="row">
    <div>
      <b>${name}</b>
      <p class="hint">${kind === "totp" ? "App" : "Passkey"}, added ${since}</p>
    </div>
    <${Form} action="Remove" what=${name} submit=${remove}><//>
  </li>`;
}
