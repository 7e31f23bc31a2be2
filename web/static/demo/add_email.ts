import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import { CodeStep } from "./code_step.ts";
import { EmailField, PasswordField } from "./fields.ts";
import { latchkey, notice } from "./latchkey.ts";

type Fields = Record<string, string>;

/** Gives the account an email, once the code that was sent there is typed. */
export function AddEmail({ onChanged }: { onChanged: () => Promise<void> }) {
  // A new form after each change, so that it starts with the first step again.
  const changes = useSignal(0);
  const send = ({ newEmail = "", password = "" }: Fields) =>
    latchkey.POST("/auth/email", { body: { newEmail, ...(password && { password }) } });
  async function submit({ newEmail = "", otp = "" }: Fields) {
    const result = await latchkey.POST("/auth/email/verify", { body: { newEmail, otp } });
    if (result.error) return result;
    notice.value = "Your email is verified.";
    changes.value++;
    await onChanged();
    return result;
  }
  return html`<${CodeStep}
    key=${changes.value}
    ...${{ ask: "Send a code there", recipientField: "newEmail", action: "Verify the email", send, submit }}
  >
    <${EmailField} />
    <${PasswordField} required=${false} hint="Left empty within ten minutes of signing in" />
  <//>`;
}
