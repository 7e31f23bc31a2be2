import { html } from "htm/preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { isEmail, offers } from "./ways.ts";
import { watchForCode } from "./web_otp.ts";

interface FieldProps {
  name: string;
  label: string;
  value?: string;
  hint?: string;
  autocomplete: string;
  type?: string;
  inputmode?: string;
  required?: boolean;
  class?: string;
  maxlength?: number;
}

export function Field({ name, label, hint, value, ...input }: FieldProps) {
  const id = useId();
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      name=${name}
      defaultValue=${value}
      required
      aria-describedby=${hint ? `${id}-hint` : undefined}
      ...${input}
    />
    ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
  </div>`;
}

const phoneHint = "With the country code, such as +1 212 555 0123";

export const PhoneField = ({ name = "phone", label = "Phone", value = "" }) =>
  html`<${Field}
    ...${{ name, label, value: isEmail(value) ? "" : value, hint: phoneHint }}
    ...${{ type: "tel", inputmode: "tel", autocomplete: name === "phone" ? "username webauthn" : "tel" }}
  />`;

/** Who wants to sign in: by a phone, or also by an email where the service has that. */
export const NameField = ({ value = "" }) =>
  offers("email")
    ? html`<${Field}
        ...${{ name: "phone", label: "Phone or email", value, type: "text", inputmode: "email" }}
        hint=${`${phoneHint}; or the email that you verified`}
        autocomplete="username webauthn"
        autocapitalize="none"
        spellcheck=${false}
      />`
    : html`<${PhoneField} value=${value} />`;

interface PasswordFieldProps {
  name?: string;
  label?: string;
  isNew?: boolean;
  hint?: string;
  required?: boolean;
}

export function PasswordField({
  name = "password",
  label = "Password",
  isNew = false,
  hint = isNew ? "Eight characters or more" : "",
  required = true,
}: PasswordFieldProps) {
  const autocomplete = isNew ? "new-password" : "current-password";
  return html`<${Field} ...${{ name, label, hint, required, autocomplete, type: "password" }} />`;
}

export const EmailField = ({ name = "newEmail", label = "Email" }) =>
  html`<${Field} ...${{ name, label, type: "email", inputmode: "email", autocomplete: "email" }} />`;

export function RecoveryCodeField() {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector("input")?.focus(), []);
  return html`<div ref=${box}>
    <${Field} name="recoveryCode" label="Recovery code" autocomplete="off" autocapitalize="characters" class="code" />
  </div>`;
}

interface CodeFieldProps {
  code: string;
  /** Where the code comes from. */
  source?: Source;
}

/** Where a code comes from, as the page says it; list: that of the recovery codes; passkey: there is no code. */
export type Source = "SMS" | "email" | "app" | "list" | "passkey";

/**
 * A code, with the focus. Browsers that read an SMS offer its code, and those with WebOTP type it.
 */
export function CodeField({ code, source = "SMS" }: CodeFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current) input.current.value = code;
    input.current?.focus();
  }, [code]);
  useEffect(() => {
    if (source !== "SMS") return undefined;
    return watchForCode((received) => {
      if (!input.current) return;
      input.current.value = received;
      input.current.form?.requestSubmit();
    });
  }, []);
  return html`<div class="field">
    <label for=${id}>Code from the ${source}</label>
    <input
      ...${{ id, name: "otp", ref: input, required: true, class: "code" }}
      inputmode="numeric"
      autocomplete="one-time-code"
    />
  </div>`;
}
