import { signal, useSignal } from "@preact/signals";
import { html } from "htm/preact";
import { useRef } from "preact/hooks";
import type { Challenge, SentCode } from "@latchkey/client";
import { sendSignInCode, sendSignUpCode } from "./codes.ts";
import { CodeStep } from "./code_step.ts";
import { NameField, PasswordField, PhoneField } from "./fields.ts";
import { Form } from "./form.ts";
import { label, latchkey, notice } from "./latchkey.ts";
import { PasskeySignIn, usePasskeyAutofill } from "./factors/passkey_sign_in.ts";
import { SecondStep } from "./factors/second_step.ts";
import { Title } from "./title.ts";
import { named } from "./ways.ts";

type Fields = Record<string, string>;

const signedOutViews = {
  "sign-in": SignIn,
  password: LogInByPassword,
  "second-step": SecondStepView,
  register: Register,
  reset: Reset,
};
type View = keyof typeof signedOutViews;

const view = signal<View>("sign-in");
/** The phone or email of the previous view, so that nobody has to type it twice. */
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

/** What the first step of a sign-in has left to do. */
const challenge = signal<Challenge | undefined>(undefined);

/** Goes on to the second step, if the account has a second factor. */
function goOn(result: { data?: Parameters<typeof welcome>[0]; challenge?: Challenge | undefined }): void {
  welcome(result.data);
  if (!result.challenge) return;
  challenge.value = result.challenge;
  go("second-step");
}

function SecondStepView() {
  if (!challenge.value) return html`<${SignIn} />`;
  return html`<${SecondStep} challenge=${challenge.value} onSignedIn=${welcome} onCancel=${() => go("sign-in")} />`;
}

/** A sign-in says whether it has opened the account, and whether it has undone its deletion. */
function welcome(data: { created?: boolean; restored?: true } | undefined): void {
  if (!data) return;
  view.value = "sign-in";
  notice.value = data.created ? "Welcome. Your account is new." : "";
  if (data.restored) notice.value = "Welcome back. The deletion of your account is undone.";
}

/** One box for everybody: phone or email, code, in. */
function SignIn() {
  const sent = useRef<SentCode>(undefined);
  // From the first look at the field, so that the page loads without the library, until a code is sent: a browser does
  // not wait for a passkey and for the code of an SMS at once.
  const isWaiting = useSignal(false);
  usePasskeyAutofill(isWaiting.value, welcome);
  const onFocusIn = ({ target }: FocusEvent) => {
    if ((target as HTMLInputElement).name === "phone") isWaiting.value = true;
  };
  async function send(fields: Fields) {
    phone.value = fields.phone ?? "";
    isWaiting.value = false;
    const result = await sendSignInCode(phone.value);
    if (result.data) sent.current = result.data;
    return result;
  }
  async function submit({ otp = "" }: Fields) {
    if (!sent.current) return send({ phone: phone.value });
    const result = await sent.current.enter(otp, { label: label() });
    goOn(result);
    return result;
  }
  return html`<section onFocusIn=${onFocusIn}>
    <${Title}>Sign in<//>
    <${CodeStep} ...${{ ask: "Send me a code", action: "Sign in", send, submit }}>
      <${NameField} value=${phone.value} />
    <//>
    <${PasskeySignIn} onSignedIn=${welcome} />
    <p class="links">
      <${Link} to="password">Use a password<//>
    </p>
  </section>`;
}

function LogInByPassword() {
  async function submit(fields: Fields) {
    phone.value = fields.phone ?? "";
    const body = { ...named(phone.value), password: fields.password ?? "", label: label() };
    const result = await latchkey.POST("/auth/login", { body });
    goOn(result);
    return result;
  }
  return html`<section>
    <${Title}>Log in by password<//>
    <${Form} action="Log in" submit=${submit}>
      <${NameField} value=${phone.value} />
      <${PasswordField} />
    <//>
    <p class="links">
      <${Link} to="sign-in">Use a code<//>
      <${Link} to="reset">I forgot my password<//>
      <${Link} to="register">Register<//>
    </p>
  </section>`;
}

function Register() {
  /** The registration that the code confirms: somebody else may have registered the phone, too. */
  const userId = useRef<string>(undefined);
  async function send({ phone = "", password = "" }: Fields) {
    const { data, error } = await latchkey.POST("/auth/register", { body: { phone, password } });
    if (error) return { error };
    userId.current = data.userId;
    return sendSignUpCode(phone);
  }
  async function submit({ phone = "", otp = "" }: Fields) {
    const body = { phone, otp, label: label(), ...(userId.current && { userId: userId.current }) };
    const result = await latchkey.POST("/auth/register/verify", { body });
    if (result.data) welcome({});
    return result;
  }
  return html`<section>
    <${Title}>Register with a password<//>
    <${CodeStep} ...${{ ask: "Register", action: "Confirm", send, submit }}>
      <${PhoneField} value=${phone.value} />
      <${PasswordField} isNew />
    <//>
    <p class="links"><${Link} to="password">I have an account<//></p>
  </section>`;
}

function Reset() {
  async function submit({ phone: to = "", otp = "", password = "" }: Fields) {
    const body = { ...named(to), otp, newPassword: password };
    const result = await latchkey.POST("/auth/reset-password/verify", { body });
    if (result.error) return result;
    phone.value = to;
    go("password");
    notice.value = "The password is set, and all sessions have ended. Log in with it.";
    return result;
  }
  return html`<section>
    <${Title}>Set a new password<//>
    <${CodeStep}
      ...${{ ask: "Send the code", action: "Set the password", submit }}
      send=${({ phone = "" }: Fields) => latchkey.POST("/auth/reset-password", { body: named(phone) })}
      more=${html`<${PasswordField} label="New password" isNew />`}
    >
      <${NameField} value=${phone.value} />
    <//>
    <p class="links"><${Link} to="password">Back<//></p>
  </section>`;
}
