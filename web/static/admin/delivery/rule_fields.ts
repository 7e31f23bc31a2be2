import { html } from "htm/preact";
import type { Json, JsonRecord } from "../documents/setting_documents.ts";
import { textOf } from "../settings/setting_values.ts";

const names: Record<string, string> = {
  mode: "Mode",
  perHour: "SMS per hour",
  perDay: "SMS per day",
  minimum: "Unused codes, at least",
  factor: "Times as many as usual",
  seconds: "Seconds between two",
  exempt: "Exempt",
  allowed: "Allowed calling codes",
  blocked: "Blocked calling codes",
  types: "Types of numbers",
};

/** A field for each member of a fraud rule: its mode, numbers and lists. */
export function RuleFields({ rule, onChange }: { rule: JsonRecord; onChange: (rule: JsonRecord) => void }) {
  const set = (name: string, value: Json) => onChange({ ...rule, [name]: value });
  return Object.entries(rule).map(
    ([name, value]) =>
      html`<label key=${name}>${names[name] ?? name} <${Field} name=${name} value=${value} set=${set} /></label>`,
  );
}

interface FieldProperties {
  name: string;
  value: Json;
  set: (name: string, value: Json) => void;
}

function Field({ name, value, set }: FieldProperties) {
  if (name === "mode")
    return html`<select
      value=${value}
      onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => set(name, currentTarget.value)}
    >
      <option>off</option>
      <option>record</option>
      <option>enforce</option>
    </select>`;
  if (typeof value === "number")
    return html`<input
      type="number"
      step="any"
      value=${value}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => set(name, currentTarget.valueAsNumber || 0)}
    />`;
  return html`<input
    spellcheck=${false}
    value=${(Array.isArray(value) ? value : [value]).map(textOf).join(", ")}
    onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      set(
        name,
        currentTarget.value
          .split(",")
          .map((item) => item.trim())
          .filter(Boolean),
      )}
  />`;
}
