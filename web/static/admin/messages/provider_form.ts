import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { isRecord, writeSetting, type Json, type JsonRecord, type Setting } from "../documents/setting_documents.ts";
import { ask, Failure } from "../graphql_access.ts";
import { Empty, Problem } from "../parts.ts";
import { knownMembers, otherMembers, vendors } from "./provider_options.ts";
import { useAction } from "../requests.ts";
import { textOf } from "../settings/setting_values.ts";
import { VendorOptions } from "./vendor_options.ts";

const firstRecord: JsonRecord = {
  providerToUse: "console",
  template: "{{code}} is your code. It is valid for {{minutes}} minutes.",
};

const list = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(textOf) : []);

interface ProviderProps {
  setting: Setting;
  /** The setting is read again, which replaces this form: what somebody entered meanwhile would be lost. */
  isLoading: boolean;
  reload: () => void;
}

/** The vendors and their options: OTP_PROVIDER without its texts. */
export function Provider({ setting, isLoading, reload }: ProviderProps) {
  const [record, setRecord] = useState(isRecord(setting.value) ? setting.value : firstRecord);
  const [others, setOthers] = useState(() => textOf(otherMembers(record)));
  const [fallback, setFallback] = useState(() => list(record.fallback).join(", "));
  const names = fallback.split(/[\s,]+/).filter(Boolean);
  const vendor = textOf(record.providerToUse ?? null);
  const shown = Object.keys(vendors).filter(
    (name) => name === vendor || names.includes(name) || (name in record && name !== "console"),
  );
  const save = useAction(async () => {
    const value: JsonRecord = { ...knownMembers(record), fallback: names, ...parseOthers(others) };
    if (names.length === 0) delete value.fallback;
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
    <form onSubmit=${submit} aria-busy=${save.isBusy || isLoading}>
      <fieldset class="plain" disabled=${save.isBusy || isLoading}>
        <label
          >Vendor
          <select
            value=${vendor}
            onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
              setRecord({ ...record, providerToUse: currentTarget.value })}
          >
            ${Object.keys(vendors).map((name) => html`<option key=${name}>${name}</option>`)}
          </select>
        </label>
        <label
          >Fallback <span class="soft">Other vendors, tried in this order</span>
          <input
            autocomplete="off"
            spellcheck=${false}
            placeholder="vonage, http"
            value=${fallback}
            onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setFallback(currentTarget.value)}
          />
        </label>
        ${shown.map(
          (name) => html`<${VendorOptions} key=${name} vendor=${name} record=${record} onChange=${setRecord} />`,
        )}
        <label
          >Other members, as JSON <span class="soft">What has no field above: routes, smtp</span>
          <textarea
            rows=${Math.min(14, others.split("\n").length + 1)}
            spellcheck=${false}
            value=${others}
            aria-invalid=${save.problem !== ""}
            onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setOthers(currentTarget.value)}
          ></textarea>
        </label>
        <p class="soft">Keys and passwords are not among them: they are in the worker's environment.</p>
        <${Problem} text=${save.problem} />
        <div class="buttons">
          <button class="primary">${save.isBusy ? "Saving…" : "Save provider"}</button>
        </div>
      </fieldset>
    </form>
  </section>`;
}

function parseOthers(text: string): JsonRecord {
  let value: Json = null;
  try {
    value = JSON.parse(text.trim() || "{}") as Json;
  } catch {
    // The error below reports it.
  }
  if (!isRecord(value)) throw new Failure('The other members are no JSON record: {"smtp": {"from": "…"}}.');
  const others = otherMembers(value);
  const known = Object.keys(value).find((name) => !(name in others));
  if (known !== undefined) throw new Failure(`${known} has a field of its own: write it there.`);
  return value;
}
