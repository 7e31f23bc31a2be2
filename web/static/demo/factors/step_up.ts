import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { CodeStep } from "../code_step.ts";
import { sendSignInCode } from "../codes.ts";
import { PasswordField } from "../fields.ts";
import { Form } from "../form.ts";
import { latchkey } from "../latchkey.ts";
import { FactorForms } from "./factor_forms.ts";
import { stepUpRequest, type StepUpRequest } from "./step_up_requests.ts";

type Fields = Record<string, string>;

/** The dialog in which the person confirms who they are, while a form waits for that. */
export const StepUp = () =>
  stepUpRequest.value ? html`<${StepUpDialog} key=${stepUpRequest.value} request=${stepUpRequest.value} />` : null;

/** The browser keeps the focus inside, closes the dialog on Escape and restores the focus. */
function StepUpDialog({ request: { factors, onEnd } }: { request: StepUpRequest }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isDone = useRef(false);
  const id = useId();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  function close<T extends { error?: unknown }>(result: T): T {
    isDone.current = !result.error;
    if (isDone.current) dialog.current?.close();
    return result;
  }
  const prove = async (proof: { code: string } | { otp: string } | { password: string }) =>
    close(await latchkey.POST("/auth/session/step-up", { body: proof }));
  const provePasskey = async () => close(await latchkey.stepUpWithPasskey());
  return html`<dialog ref=${dialog} aria-labelledby=${id} onClose=${() => onEnd(isDone.current)}>
    <h2 id=${id}>Confirm that it is you</h2>
    ${
      factors.length > 0
        ? html`<${FactorForms}
            factors=${factors}
            action="Confirm"
            submitCode=${({ otp = "" }: Fields) => prove({ code: otp })}
            submitPasskey=${provePasskey}
          />`
        : html`<${FirstFactor} prove=${prove} />`
    }
    <p class="links">
      <button type="button" class="plain" onClick=${() => dialog.current?.close()}>Cancel</button>
    </p>
  </dialog>`;
}

type Prove = (
  proof: { otp: string } | { password: string },
) => ReturnType<typeof latchkey.POST<"/auth/session/step-up">>;

/** The password, or a code by SMS for those who have none. */
function FirstFactor({ prove }: { prove: Prove }) {
  const isByCode = useSignal(false);
  const phone = useSignal("");
  useEffect(() => void latchkey.GET("/auth/session").then(({ data }) => (phone.value = data?.phone ?? "")), []);
  return html`<p>You signed in a while ago.</p>
    ${
      isByCode.value
        ? html`<${CodeStep}
            ...${{ ask: "Send me a code", action: "Confirm" }}
            send=${() => sendSignInCode(phone.value)}
            submit=${({ otp = "" }: Fields) => prove({ otp })}
          >
            <input type="hidden" name="phone" value=${phone.value} />
          <//>`
        : html`<${Form} action="Confirm" submit=${({ password = "" }: Fields) => prove({ password })}>
            <${PasswordField} />
          <//>`
    }
    <p class="links">
      <button type="button" class="plain" onClick=${() => (isByCode.value = !isByCode.value)}>
        ${isByCode.value ? "Use the password" : "Use a code by SMS"}
      </button>
    </p>`;
}
