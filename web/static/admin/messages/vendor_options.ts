import { html } from "htm/preact";
import { isRecord, type Json, type JsonRecord } from "../documents/setting_documents.ts";
import { NewPlace } from "./new_place.ts";
import { optionsOf, vendors, type Option } from "./provider_options.ts";
import type { Place } from "./text_place.ts";

interface Properties {
  vendor: string;
  record: JsonRecord;
  onChange: (record: JsonRecord) => void;
}

/**
 * A field for each option of a vendor, and a record to compare with. Members that it has no field for stay as they are.
 */
export function VendorOptions({ vendor, record, onChange }: Properties) {
  const { options = [], example } = vendors[vendor] ?? {};
  const stored = optionsOf(record, vendor);
  return html`<fieldset class="vendor">
    <legend>${vendor}</legend>
    ${options.length === 0 && html`<p class="soft">It has no options: it prints messages to the worker's output.</p>`}
    ${options.map(
      (option) =>
        html`<${option.isByText ? TextIds : OptionField}
          key=${option.name}
          option=${option}
          value=${stored[option.name] ?? ""}
          set=${(value: Json) => onChange({ ...record, [vendor]: { ...stored, [option.name]: value } })}
        />`,
    )}
    <details class="example">
      <summary>An example of ${vendor}</summary>
      <pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>
    </details>
  </fieldset>`;
}

interface FieldProperties {
  option: Option;
  value: Json;
  set: (value: Json) => void;
}

function OptionField({ option: { name, hint, example, choices }, value, set }: FieldProperties) {
  const attributes = {
    value: value || choices?.[0] || "",
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      set(currentTarget.value.trim()),
  };
  return html`<label
    >${name} <span class="soft">${hint}</span>
    ${
      choices
        ? html`<select ...${attributes}>
            ${choices.map((choice) => html`<option key=${choice}>${choice}</option>`)}
          </select>`
        : html`<input autocomplete="off" spellcheck=${false} placeholder=${example} ...${attributes} />`
    }
  </label>`;
}

/** Ids by purpose and language. */
function TextIds({ option: { name, hint, example }, value, set }: FieldProperties) {
  const ids = isRecord(value) ? value : {};
  const of = (purpose: string) => optionsOf(ids, purpose);
  const write = (purpose: string, locale: string, id: string) =>
    set({ ...ids, [purpose]: { ...of(purpose), [locale]: id } });
  return html`<div class="text-ids" role="group" aria-label=${name}>
    <p><b>${name}</b> <span class="soft">${hint}. An empty id is left out.</span></p>
    ${Object.keys(ids).flatMap((purpose) =>
      Object.entries(of(purpose)).map(
        ([locale, id]) =>
          html`<label key=${`${purpose} ${locale}`}
            >${name} for ${purpose}, ${locale}
            <input
              autocomplete="off"
              spellcheck=${false}
              placeholder=${example}
              value=${id}
              onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
                write(purpose, locale, currentTarget.value.trim())}
            />
          </label>`,
      ),
    )}
    <details class="add">
      <summary>Add ${name} for a purpose and language</summary>
      <${NewPlace}
        verb="Add it"
        onChosen=${({ purpose, locale }: Place) => {
          if (purpose !== null && locale !== null && !(locale in of(purpose))) write(purpose, locale, "");
        }}
      />
    </details>
  </div>`;
}
