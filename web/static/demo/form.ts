import type { Result } from "@latchkey/client";
import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Source } from "./fields.ts";
import { Problem } from "./form_problem.ts";
import { askToStepUp, needsStepUp } from "./factors/step_up_requests.ts";
import { fieldOf, type DemoError } from "./problems.ts";

interface FormProps {
  /** The name of the button. */
  action: string;
  /** What the button acts on, for those who hear it without what is beside it. */
  what?: string;
  /** Called with the fields by their names. */
  submit: (fields: Record<string, string>) => Promise<Result<unknown, DemoError>>;
  danger?: boolean;
  /** Where a code of the form comes from. */
  source?: Source;
  children: ComponentChildren;
}

/**
 * A form that sends one request at a time and shows its result. If the service wants to know first that it is still the
 * user, the form asks, and sends its request again.
 */
export function Form({ action, what, submit, danger = false, source, children }: FormProps) {
  const isBusy = useSignal(false);
  const error = useSignal<DemoError | undefined>(undefined);
  const problemId = useId();

  async function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy.value) return;
    const form = event.currentTarget as HTMLFormElement;
    const fields = [...new FormData(form)].map(([name, value]) => [name, typeof value === "string" ? value : ""]);
    [isBusy.value, error.value] = [true, undefined];
    const send = () => submit(Object.fromEntries(fields) as Record<string, string>);
    let result = await send();
    if (needsStepUp(result.error) && (await askToStepUp(result.error))) result = await send();
    error.value = result.error;
    isBusy.value = false;
    pointOut(form, error.value && fieldOf(error.value, source));
  }

  return html`<form onSubmit=${onSubmit} aria-describedby=${error.value && problemId} novalidate>
    ${children} ${error.value && html`<${Problem} ...${{ id: problemId, error: error.value, source }} />`}
    <button
      class=${danger ? "danger" : "main"}
      aria-disabled=${isBusy.value}
      aria-busy=${isBusy.value}
      aria-label=${what && `${action}: ${what}`}
    >
      ${isBusy.value ? "One moment…" : action}
    </button>
  </form>`;
}

/** Marks only the field that caused an error, and moves the focus there. */
function pointOut(form: HTMLFormElement, name: string | undefined): void {
  for (const input of form.querySelectorAll("input")) {
    input.setAttribute("aria-invalid", String(input.name === name));
    if (input.name === name) input.focus();
  }
}
