import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { AddEmail } from "./add_email.ts";
import { ChangePhone, DuePhoneChange } from "./change_phone.ts";
import { Factors } from "./factors/factors.ts";
import { PasswordField } from "./fields.ts";
import { Form } from "./form.ts";
import { latchkey, notice } from "./latchkey.ts";
import { Sessions } from "./sessions.ts";
import { Title } from "./title.ts";

type Fields = Record<string, string>;

/** The page of a signed-in user. */
export function Account() {
  const phone = useSignal("");
  const email = useSignal<string | null>(null);
  const due = useSignal<string | null>(null);
  const load = async () => {
    const { data } = await latchkey.GET("/auth/session");
    if (data) [phone.value, email.value, due.value] = [data.phone ?? "", data.email, data.phone_change_due_at];
  };
  useEffect(() => void load(), []);

  return html`<div class="account">
    <section>
      <${Title}>You are signed in<//>
      <p>
        ${phone.value ? html`as <b class="digits">${phone.value}</b>` : "…"}${email.value && html`, <b>${email.value}</b>`}
      </p>
      ${due.value && html`<${DuePhoneChange} due=${due.value} onChanged=${load} />`}
    </section>
    <${Sessions} />
    <section class="row">
      <${Form} action="Log out" submit=${logOut}><//>
      <${Form} action="Sign out everywhere" submit=${signOutEverywhere}><//>
    </section>
    <${Factors} />
    <details>
      <summary>${email.value ? "Change the email" : "Add an email"}</summary>
      <${AddEmail} onChanged=${load} />
    </details>
    <details>
      <summary>Set a password</summary>
      <${SetPassword} />
    </details>
    <details>
      <summary>Change the phone</summary>
      <${ChangePhone} onChanged=${load} />
    </details>
    <details>
      <summary>Delete the account</summary>
      <${DeleteAccount} />
    </details>
  </div>`;
}

async function logOut() {
  const result = await latchkey.POST("/auth/logout");
  if (!result.error) notice.value = "You are signed out.";
  return result;
}

async function signOutEverywhere() {
  const others = await latchkey.POST("/auth/sessions/revoke-others");
  if (others.error) return others;
  const result = await latchkey.POST("/auth/logout");
  if (!result.error) notice.value = "You are signed out everywhere.";
  return result;
}

/** An account that a code opened has no password. It sets its first one soon after a sign-in, without a current one. */
function SetPassword() {
  const changes = useSignal(0);
  async function submit({ currentPassword = "", newPassword = "" }: Fields) {
    const body = { newPassword, ...(currentPassword && { currentPassword }) };
    const result = await latchkey.POST("/auth/password", { body });
    if (result.error) return result;
    notice.value = "Your password is set, and all other sessions have ended.";
    changes.value++;
    return result;
  }
  return html`<${Form} key=${changes.value} action="Set the password" submit=${submit}>
    <${PasswordField}
      ...${{ name: "currentPassword", label: "Current password", required: false }}
      hint="Left empty if the account has none"
    />
    <${PasswordField} name="newPassword" label="New password" isNew />
  <//>`;
}

function DeleteAccount() {
  async function submit({ password = "" }: Fields) {
    const result = await latchkey.DELETE("/auth/account", { body: { password } });
    if (!result.data) return result;
    const until = new Date(result.data.deletion_due_at).toLocaleDateString([], { dateStyle: "long" });
    notice.value = `Your account is deleted. Log in until ${until} to undo that.`;
    return result;
  }
  return html`<${Form} action="Delete my account" danger submit=${submit}>
    <p>Every session ends at once. A login within the next days brings the account back.</p>
    <${PasswordField} />
  <//>`;
}
