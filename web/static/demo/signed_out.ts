import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { useRef } from "preact/hooks";
import { sendCode } from "./codes.ts";
import { CodeStep } from "./code_step.ts";
import { PasswordField, PhoneField } from "./fields.ts";
import { Form } from "./form.ts";
import { label, latchkey, notice } from "./latchkey.ts";
import { Title } from "./title.ts";

type Fields = Record<string, string>;

const signedOutViews = { "log-in": LogIn, code: LogInByCode, register: Register, reset: Reset };
type View = keyof typeof signedOutViews;

const view = signal<View>("log-in");
/** The phone of the previous view, so that nobody has to type it twice. */
const phone = signal("");

const go = (next: View) => {
  notice.value = "";
  view.value = next;
};
const Link = ({ to, children }: { to: View; children: string }) =>
  html`<button type="button" class="plain" onClick=${() => go(to)}>${children}</button>`;

/** The page while nobody is signed in. */
export function SignedOut() {
  return html`<${signedOutViews[view.value]} key=${view.value} />`;
}

/** A login says whether it has undone the deletion of the account. */
function welcome(data: { restored?: true } | undefined): void {
  if (!data) return;
  view.value = "log-in";
  notice.value = data.restored ? "Welcome back. The deletion of your account is undone." : "";
}

function LogIn() {
  async function submit(fields: Fields) {
    phone.value = fields.phone ?? "";
    const { phone: to = "", password = "" } = fields;
    const result = await latchkey.POST("/auth/login", { body: { phone: to, password, label: label() } });
    welcome(result.data);
    return result;
  }
  return html`<section>
    <${Title}>Log in<//>
    <${Form} action="Log in" submit=${submit}>
      <${PhoneField} value=${phone.value} />
      <${PasswordField} />
    <//>
    <p class="links">
      <${Link} to="code">Log in by a code<//>
      <${Link} to="reset">I forgot my password<//>
      <${Link} to="register">Register<//>
    </p>
  </section>`;
}

function LogInByCode() {
  async function submit({ phone = "", otp = "" }: Fields) {
    const result = await latchkey.POST("/auth/login/otp", { body: { phone, otp, label: label() } });
    welcome(result.data);
    return result;
  }
  return html`<section>
    <${Title}>Log in by a code<//>
    <${CodeStep}
      ...${{ ask: "Send the code", action: "Log in", submit }}
      send=${({ phone = "" }: Fields) => sendCode(phone, "LOGIN")}
    >
      <${PhoneField} value=${phone.value} />
    <//>
    <p class="links"><${Link} to="log-in">Log in by password<//></p>
  </section>`;
}

function Register() {
  /** The registration that the code confirms: somebody else may have registered the phone, too. */
  const userId = useRef<string>(undefined);
  async function send({ phone = "", password = "" }: Fields) {
    const { data, error } = await latchkey.POST("/auth/register", { body: { phone, password } });
    if (error) return { error };
    userId.current = data.userId;
    return sendCode(phone, "SIGNUP");
  }
  async function submit({ phone = "", otp = "" }: Fields) {
    const body = { phone, otp, label: label(), ...(userId.current && { userId: userId.current }) };
    const result = await latchkey.POST("/auth/register/verify", { body });
    if (result.data) welcome({});
    return result;
  }
  return html`<section>
    <${Title}>Register<//>
    <${CodeStep} ...${{ ask: "Register", action: "Confirm", send, submit }}>
      <${PhoneField} value=${phone.value} />
      <${PasswordField} isNew />
    <//>
    <p class="links"><${Link} to="log-in">I have an account<//></p>
  </section>`;
}

function Reset() {
  async function submit({ phone: to = "", otp = "", password = "" }: Fields) {
    const body = { phone: to, otp, newPassword: password };
    const result = await latchkey.POST("/auth/reset-password/verify", { body });
    if (result.error) return result;
    phone.value = to;
    go("log-in");
    notice.value = "The password is set, and all sessions have ended. Log in with it.";
    return result;
  }
  return html`<section>
    <${Title}>Set a new password<//>
    <${CodeStep}
      ...${{ ask: "Send the code", action: "Set the password", submit }}
      send=${({ phone = "" }: Fields) => latchkey.POST("/auth/reset-password", { body: { phone } })}
      more=${html`<${PasswordField} label="New password" isNew />`}
    >
      <${PhoneField} value=${phone.value} />
    <//>
    <p class="links"><${Link} to="log-in">Back<//></p>
  </section>`;
}
