import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import { CodeStep } from "./code_step.ts";
import { PasswordField, PhoneField } from "./fields.ts";
import { Form } from "./form.ts";
import { latchkey, notice } from "./latchkey.ts";
import { offers } from "./ways.ts";

interface ChangeProps {
  onChanged: () => Promise<void>;
}

const timeOf = (due: string) => new Date(due).toLocaleString([], { dateStyle: "long", timeStyle: "short" });

/** Changes the phone by the password; or, where the service has that, by a sign-in by email, and then after a delay. */
export function ChangePhone({ onChanged }: ChangeProps) {
  // A new form after each change, so that it starts with the first step again.
  const changes = useSignal(0);
  const send = ({ newPhone = "", password = "" }: Record<string, string>) =>
    latchkey.POST("/auth/phone", { body: { newPhone, ...(password && { password }) } });
  async function submit({ newPhone = "", otp = "" }: Record<string, string>) {
    const result = await latchkey.POST("/auth/phone/verify", { body: { newPhone, otp } });
    if (result.error) return result;
    const due = result.data.phone_change_due_at;
    notice.value = due
      ? `The new phone is verified, and is yours from ${timeOf(due)}. The old one was told.`
      : "Your phone is changed, and all other sessions have ended.";
    changes.value++;
    await onChanged();
    return result;
  }
  const hint = "If it is lost too: left empty within ten minutes of signing in by a code by email";
  return html`<${CodeStep}
    key=${changes.value}
    ...${{ ask: "Send a code there", recipientField: "newPhone", action: "Change the phone", send, submit }}
  >
    <${PhoneField} name="newPhone" label="New phone" />
    <${PasswordField} ...${offers("phone_recovery") && { required: false, hint }} />
  <//>`;
}

/** A change that somebody asked for without the password, which each of the user's sessions may stop. */
export function DuePhoneChange({ due, onChanged }: ChangeProps & { due: string }) {
  async function stop() {
    const result = await latchkey.DELETE("/auth/phone/change");
    if (result.error) return result;
    notice.value = "Your phone stays as it is.";
    await onChanged();
    return result;
  }
  return html`<${Form} action="Keep the phone" danger submit=${stop}>
    <p>
      Somebody who signed in by your email changes your phone on <b>${timeOf(due)}</b>. If that was not you, keep the
      phone.
    </p>
  <//>`;
}
