import { html } from "htm/preact";
import { CodeField } from "../fields.ts";
import { Form } from "../form.ts";
import { hasPasskeys } from "./passkey_sign_in.ts";

interface FactorFormsProps {
  /** The kinds that the account has. */
  factors: readonly ("totp" | "passkey")[];
  /** The name of the button beside the code. */
  action: string;
  submitCode: Parameters<typeof Form>[0]["submit"];
  submitPasskey: Parameters<typeof Form>[0]["submit"];
}

/** A form for each kind of second factor that the account has, and no other. */
export function FactorForms({ factors, action, submitCode, submitPasskey }: FactorFormsProps) {
  const hasApp = factors.includes("totp");
  const hasPasskey = factors.includes("passkey");
  return html`
    ${
      hasApp &&
      html`<${Form} action=${action} source="app" submit=${submitCode}>
        <p>This takes your second factor. Open your authenticator app${hasPasskey && ", or use a passkey"}.</p>
        <${CodeField} code="" source="app" />
      <//>`
    }
    ${
      hasPasskey &&
      (hasPasskeys
        ? html`<${Form} action="Use a passkey" source="passkey" submit=${submitPasskey}>
            ${!hasApp && html`<p>This takes your second factor, which is a passkey.</p>`}
          <//>`
        : !hasApp && html`<p>Your second factor is a passkey, which this browser cannot use.</p>`)
    }
  `;
}
