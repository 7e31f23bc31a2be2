import { html } from "htm/preact";
import { useState } from "preact/hooks";
import {
  isRecord,
  writeSetting,
  type Json,
  type JsonRecord,
  type Setting,
} from "./documents/setting_documents.ts";
import { ask, Failure } from "./graphql_access.ts";
import { Empty, Problem } from "./parts.ts";
import { useAction } from "./requests.ts";
import { textOf } from "./setting_values.ts";

const vendors = ["twilio", "aws-sns", "vonage", "http", "console"];

/** The vendor and its options: OTP_PROVIDER without its texts. */
export function Provider({ setting, reload }: { setting: Setting; reload: () => void }) {
  const record = isRecord(setting.value) ? setting.value : {};
  const { providerToUse, template, templates, ...options } = record;
  const [vendor, setVendor] = useState(typeof providerToUse === "string" ? providerToUse : "console");
  const [text, setText] = useState(() => textOf(options));
  const save = useAction(async () => {
    const value = {
      ...parseRecord(text),
      providerToUse: vendor,
      template: template ?? "{{code}} is your code. It is valid for {{minutes}} minutes.",
      ...(templates !== undefined && { templates }),
    };
    await ask(writeSetting, { key: setting.key, value });
    reload();
    return `Messages are sent by ${vendor} from now on.`;
  });
  const submit = (event: Event) => {
    event.preventDefault();
    save.run();
  };
  return html`<section class="card" aria-labelledby="provider">
    <h2 id="provider">Provider</h2>
    ${setting.value === null && html`<${Empty}>No provider is set yet, so no code is sent.<//>`}
    <form onSubmit=${submit} aria-busy=${save.isBusy}>
      <label
        >Vendor
        <select
          value=${vendor}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => setVendor(currentTarget.value)}
        >
          ${vendors.map((name) => html`<option key=${name}>${name}</option>`)}
        </select>
      </label>
      <label
        >Options of the vendors, as JSON
        <textarea
          rows=${Math.min(14, text.split("\n").length + 1)}
          spellcheck=${false}
          value=${text}
          aria-invalid=${save.problem !== ""}
          onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)}
        ></textarea>
      </label>
      <p class="soft">Keys and passwords are not among them: they are in the worker's environment.</p>
      <${Problem} text=${save.problem} />
      <div class="buttons">
        <button class="primary" disabled=${save.isBusy}>${save.isBusy ? "Saving…" : "Save provider"}</button>
      </div>
    </form>
  </section>`;
}

function parseRecord(text: string): JsonRecord {
  try {
    const value = JSON.parse(text.trim() || "{}") as Json;
    if (isRecord(value)) return value;
  } catch {
    // The error below reports it.
  }
  throw new Failure('The options are no JSON record: {"http": {"url": "https://…"}}.');
}
