import { html } from "htm/preact";
import { useId, useState } from "preact/hooks";
import { resetSetting, writeSetting, type Setting } from "../documents/setting_documents.ts";
import { formatMoment } from "../format.ts";
import { ask } from "../graphql_access.ts";
import { Badge, Problem } from "../parts.ts";
import { useAction } from "../requests.ts";
import { SecondFactorEffect } from "./second_factor_effect.ts";
import { boundsOf, parseValue, showValue, textOf, valuesOf } from "./setting_values.ts";

/** A setting with its meaning, its value and, once it is opened, the field that changes it. */
export function SettingRow({ setting, reload }: { setting: Setting; reload: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const isDefault = JSON.stringify(setting.value) === JSON.stringify(setting.default_value);
  return html`<li>
    <div class="setting-text">
      <h3><code>${setting.key}</code> ${!isDefault && html`<${Badge} tone="warn">changed<//>`}</h3>
      <p class="soft">${setting.description}</p>
    </div>
    ${
      isOpen
        ? html`<${Editor} setting=${setting} isDefault=${isDefault} reload=${reload} close=${() => setOpen(false)} />`
        : html`<div class="setting-value">
            <output>${showValue(setting)}</output>
            <button type="button" aria-label=${`Change ${setting.key}`} onClick=${() => setOpen(true)}>Change</button>
          </div>`
    }
  </li>`;
}

interface EditorProperties {
  setting: Setting;
  isDefault: boolean;
  reload: () => void;
  close: () => void;
}

function Editor({ setting, isDefault, reload, close }: EditorProperties) {
  const [text, setText] = useState(() => textOf(setting.value));
  const id = useId();
  const finish = (done: string): string => {
    close();
    reload();
    return done;
  };
  const save = useAction(async () => {
    await ask(writeSetting, { key: setting.key, value: parseValue(setting, text) });
    return finish(`${setting.key} is in force.`);
  });
  const reset = useAction(async () => {
    await ask(resetSetting, { key: setting.key });
    return finish(`${setting.key} is at its default again.`);
  });
  const problem = save.problem || reset.problem;
  const attributes = {
    id,
    value: text,
    autofocus: true,
    "aria-invalid": problem !== "",
    "aria-describedby": `${id}-bounds`,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement }) =>
      setText(currentTarget.value),
  };
  const submit = (event: Event) => {
    event.preventDefault();
    save.run();
  };
  return html`<form class="setting-editor" onSubmit=${submit} aria-busy=${save.isBusy}>
    <label for=${id}>New value of ${setting.key}</label>
    <${Field} setting=${setting} attributes=${attributes} />
    <p class="soft" id=${`${id}-bounds`}>
      ${boundsOf(setting)}. Default: <code>${textOf(setting.default_value) || "none"}</code>.
      ${setting.updated_at !== null && ` Written ${formatMoment(setting.updated_at)}.`}
    </p>
    ${setting.key === "SECOND_FACTOR" && html`<${SecondFactorEffect} value=${text} />`}
    <${Problem} text=${problem} />
    <div class="buttons">
      <button type="button" onClick=${close}>Cancel</button>
      ${
        !isDefault &&
        html`<button type="button" disabled=${reset.isBusy} onClick=${reset.run}>Back to the default</button>`
      }
      <button class="primary" disabled=${save.isBusy}>${save.isBusy ? "Saving…" : "Save"}</button>
    </div>
  </form>`;
}

function Field({ setting, attributes }: { setting: Setting; attributes: Record<string, unknown> }) {
  const values = valuesOf(setting);
  if (values)
    return html`<select ...${attributes}>
      ${values.map((value) => html`<option>${value}</option>`)}
    </select>`;
  if (setting.kind === "integer")
    return html`<input type="number" min=${setting.minimum} max=${setting.maximum} ...${attributes} />`;
  if (typeof setting.value === "object" || typeof setting.default_value === "object")
    return html`<textarea
      rows=${Math.min(20, String(attributes.value).split("\n").length + 1)}
      spellcheck=${false}
      ...${attributes}
    ></textarea>`;
  return html`<input autocomplete="off" spellcheck=${false} ...${attributes} />`;
}
