import type { Result } from "@latchkey/client";
import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { printedTexts } from "./codes.ts";
import { CodeField } from "./fields.ts";
import { Form } from "./form.ts";
import type { DemoError } from "./problems.ts";
import { Sms } from "./sms.ts";
import { isEmail } from "./ways.ts";

type Answer = Promise<Result<unknown, DemoError>>;

interface StepProps {
  /** The form that takes the phone or email. Its fields are kept for the second step. */
  children: ComponentChildren;
  ask: string;
  /** Sends the code. */
  send: (fields: Record<string, string>) => Answer;
  /** The field with the phone or email that the code is sent to. */
  recipientField?: string;
  action: string;
  /** Fields beside the code. */
  more?: ComponentChildren;
  /** Called with the fields of both steps. */
  submit: (fields: Record<string, string>) => Answer;
}

/** A form of two steps: the fields for which a code is sent, then the code. */
export function CodeStep({ children, ask, send, recipientField = "phone", action, more, submit }: StepProps) {
  /** The fields as they were last submitted, whether or not a code was sent. */
  const asked = useSignal<Record<string, string>>({});
  const recipient = asked.value[recipientField] ?? "";
  const source = isEmail(recipient) ? "email" : "SMS";
  const sent = useSignal<Record<string, string> | undefined>(undefined);
  const before = useSignal(0);
  const code = useSignal("");

  async function sendTo(fields: Record<string, string>): Answer {
    asked.value = fields;
    const to = fields[recipientField] ?? "";
    const printed = isEmail(to) ? [] : ((await printedTexts(to)) ?? []);
    const result = await send(fields);
    if (result.error) return result;
    [code.value, before.value, sent.value] = ["", printed.length, fields];
    return result;
  }

  const fields = sent.value;
  if (!fields) return html`<${Form} key="ask" action=${ask} submit=${sendTo} source=${source}>${children}<//>`;
  return html`<div>
    <p>A code was sent to <b class="digits">${recipient}</b>.</p>
    ${
      source === "SMS" &&
      html`<${Sms} phone=${recipient} before=${before.value} onCode=${(text: string) => (code.value = text)} />`
    }
    <${Form}
      key="code"
      ...${{ action, source }}
      submit=${(own: Record<string, string>) => submit({ ...fields, ...own })}
    >
      <${CodeField} ...${{ code: code.value, source }} />
      ${more}
    <//>
    <${Form} key="again" action="Send a new code" submit=${() => sendTo(fields)}><//>
  </div>`;
}
