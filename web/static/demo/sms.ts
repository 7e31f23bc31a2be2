import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { printedTexts } from "./codes.ts";

const pollMs = 700;

interface SmsProps {
  phone: string;
  /** How many SMS the phone had before this one. */
  before: number;
  onCode: (code: string) => void;
}

/** Shows the SMS that the service has printed instead of sending it, so that trying it out needs no second window. */
export function Sms({ phone, before, onCode }: SmsProps) {
  const [texts, setTexts] = useState<string[] | null>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const poll = async () => {
      const printed = await printedTexts(phone);
      if (isStopped) return;
      setTexts(printed);
      if (printed !== null) timer = setTimeout(() => void poll(), pollMs);
    };
    void poll();
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }, [phone]);

  const text = texts?.slice(before).at(-1);
  const code = /\d{4,10}/.exec(text ?? "")?.[0];
  return html`<aside class="sms" aria-label="SMS">
    <div role="status">
      ${
        text === undefined
          ? html`<p class="hint">
              ${
                texts === null
                  ? "The SMS is on its way. A service that only prints its SMS shows it in the worker’s terminal."
                  : "The SMS is on its way…"
              }
            </p>`
          : html`<p class="bubble">${text}</p>`
      }
    </div>
    ${
      code &&
      html`<p class="hint">Shown here because this service prints its SMS instead of sending them.</p>
        <button type="button" class="plain" onClick=${() => onCode(code)}>Fill in ${code}</button>`
    }
  </aside>`;
}
