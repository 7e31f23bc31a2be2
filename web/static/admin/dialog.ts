import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useId, useRef, useState } from "preact/hooks";
import type { Action } from "./requests.ts";
import { Problem } from "./parts.ts";

interface Properties {
  /** The action, as a question. */
  title: string;
  /** The text of the button that does it. */
  verb: string;
  isDangerous?: boolean;
  /** The text that must be typed before the button works. */
  typed?: string;
  action: Pick<Action<[]>, "problem" | "isBusy">;
  onConfirm: () => void;
  onClose: () => void;
  children?: ComponentChildren;
}

/** Asks for confirmation. The browser keeps the focus inside, closes the dialog on Escape and restores the focus. */
export function Confirm(properties: Properties) {
  const { title, verb, isDangerous = false, typed, action, onConfirm, onClose, children } = properties;
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const id = useId();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const isReady = typed === undefined || text.trim() === typed;
  const submit = (event: Event) => {
    event.preventDefault();
    if (isReady && !action.isBusy) onConfirm();
  };
  return html`<dialog ref=${dialog} aria-labelledby=${id} onClose=${onClose}>
    <form onSubmit=${submit}>
      <h2 id=${id}>${title}</h2>
      ${children}
      ${
        typed !== undefined &&
        html`<label
          >Type <strong>${typed}</strong> to go on
          <input
            autocomplete="off"
            spellcheck=${false}
            value=${text}
            onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setText(currentTarget.value)}
          />
        </label>`
      }
      <${Problem} text=${action.problem} />
      <div class="buttons">
        <button type="button" onClick=${() => dialog.current?.close()}>Cancel</button>
        <button class=${isDangerous ? "danger" : "primary"} disabled=${!isReady || action.isBusy}>
          ${action.isBusy ? "Working…" : verb}
        </button>
      </div>
    </form>
  </dialog>`;
}
