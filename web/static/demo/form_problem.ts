import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { Source } from "./fields.ts";
import { sentenceOf, waitingTime, type DemoError } from "./problems.ts";

const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** An error below a form, counting down where there is something to wait for. */
export function Problem({ id, error, source }: { id: string; error: DemoError; source?: Source }) {
  const wait = waitingTime(error);
  const [left, setLeft] = useState(wait);
  useEffect(() => {
    const end = Date.now() + wait * 1000;
    setLeft(wait);
    const timer = setInterval(() => setLeft(Math.max(0, Math.round((end - Date.now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [error]);
  return html`<p id=${id} class="problem" role="alert">
    ${sentenceOf(error, source)}
    ${
      wait > 0 &&
      html`${" "}
        <span aria-hidden="true">
          ${left > 0 ? html`Try again in <b class="digits">${minutes(left)}</b>.` : "You can try again now."}
        </span>
        <span class="only-heard">Try again in ${Math.ceil(wait / 60)} minutes.</span>`
    }
  </p>`;
}
