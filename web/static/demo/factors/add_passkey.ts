import { html } from "htm/preact";
import { Field } from "../fields.ts";
import { Form } from "../form.ts";
import { latchkey } from "../latchkey.ts";

/** Makes a passkey, which signs in alone or beside a code or password. */
export function AddPasskey({ onAdded }: { onAdded: (recoveryCodes: string[] | undefined) => Promise<void> }) {
  async function submit({ label = "" }: Record<string, string>) {
    const result = await latchkey.addPasskey(label.trim() || undefined);
    if (result.data) await onAdded(result.data.recovery_codes);
    return result;
  }
  return html`<${Form} action="Make a passkey" source="passkey" submit=${submit}>
    <p>Your device keeps it, and opens it by its screen lock.</p>
    <${Field}
      ...${{ name: "label", label: "Name of the passkey", required: false, autocomplete: "off", maxlength: 64 }}
      hint="Such as: my laptop"
    />
  <//>`;
}
