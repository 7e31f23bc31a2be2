import type { Challenge } from "@latchkey/client";
import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import { CodeField, RecoveryCodeField } from "../fields.ts";
import { Form } from "../form.ts";
import { Title } from "../title.ts";
import { hasPasskeys } from "./passkey_sign_in.ts";

type Fields = Record<string, string>;

interface StepProps {
  challenge: Challenge;
  onSignedIn: (data: { restored?: true }) => void;
  onCancel: () => void;
}

/** The second step of a sign-in: a passkey, the code of an app, or a recovery code. */
export function SecondStep({ challenge, onSignedIn, onCancel }: StepProps) {
  const isLost = useSignal(!challenge.factors.includes("totp"));
  async function submit({ otp, recoveryCode = "" }: Fields) {
    const result = await challenge.enter(otp === undefined ? { recoveryCode } : { code: otp });
    if (result.data) onSignedIn(result.data);
    return result;
  }
  async function submitPasskey() {
    const result = await challenge.usePasskey();
    if (result.data) onSignedIn(result.data);
    return result;
  }
  return html`<section>
    <${Title}>Confirm that it is you<//>
    ${
      hasPasskeys &&
      challenge.factors.includes("passkey") &&
      html`<${Form} action="Use a passkey" source="passkey" submit=${submitPasskey}><//>`
    }
    ${
      isLost.value
        ? html`<${Form} key="list" action="Sign in" source="list" submit=${submit}>
            <p>Type one of the recovery codes that you kept. It works this once.</p>
            <${RecoveryCodeField} />
          <//>`
        : html`<${Form} key="app" action="Sign in" source="app" submit=${submit}>
            <p>Your account has a second factor. Open your authenticator app.</p>
            <${CodeField} code="" source="app" />
          <//>`
    }
    <p class="links">
      ${
        challenge.factors.includes("totp") &&
        html`<button type="button" class="plain" onClick=${() => (isLost.value = !isLost.value)}>
          ${isLost.value ? "Use the app" : "I lost my second factor"}
        </button>`
      }
      <button type="button" class="plain" onClick=${onCancel}>Start again</button>
    </p>
  </section>`;
}
