import type { Challenge } from "@latchkey/client";
import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import { RecoveryCodeField } from "../fields.ts";
import { Form } from "../form.ts";
import { Title } from "../title.ts";
import { FactorForms } from "./factor_forms.ts";

type Fields = Record<string, string>;

interface StepProps {
  challenge: Challenge;
  onSignedIn: (data: { restored?: true }) => void;
  onCancel: () => void;
}

/** The second step of a sign-in: a passkey, the code of an app, or a recovery code. */
export function SecondStep({ challenge, onSignedIn, onCancel }: StepProps) {
  const isLost = useSignal(false);
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
      isLost.value
        ? html`<${Form} action="Sign in" source="list" submit=${submit}>
            <p>Type one of the recovery codes that you kept. It works this once.</p>
            <${RecoveryCodeField} />
          <//>`
        : html`<${FactorForms}
            ...${{ factors: challenge.factors, action: "Sign in", submitCode: submit, submitPasskey }}
          />`
    }
    <p class="links">
      <button type="button" class="plain" onClick=${() => (isLost.value = !isLost.value)}>
        ${isLost.value ? "Use the second factor" : "I lost my second factor"}
      </button>
      <button type="button" class="plain" onClick=${onCancel}>Start again</button>
    </p>
  </section>`;
}
