import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Confirm } from "../dialog.ts";
import { addSubscription } from "../documents/event_documents.ts";
import { ask } from "../graphql_access.ts";
import { useAction } from "../requests.ts";
import { eventTypes } from "./event_types.ts";

interface FieldEvent {
  currentTarget: HTMLInputElement;
}

/** Asks for a new subscription. The database refuses a wrong one and says why. */
export function AddSubscription({ done, close }: { done: (text: string) => string; close: () => void }) {
  const [fields, setFields] = useState({ id: "", url: "", secret_name: "" });
  const [types, setTypes] = useState<string[]>([]);
  const action = useAction(async () => {
    await ask(addSubscription, { ...fields, types });
    return done(`${fields.id} gets events from now on.`);
  });
  const field = (name: keyof typeof fields, text: string, placeholder: string) =>
    html`<label
      >${text}
      <input
        autocomplete="off"
        spellcheck=${false}
        placeholder=${placeholder}
        value=${fields[name]}
        onInput=${({ currentTarget }: FieldEvent) => setFields({ ...fields, [name]: currentTarget.value.trim() })}
      />
    </label>`;
  const toggle = (type: string) =>
    setTypes(types.includes(type) ? types.filter((one) => one !== type) : [...types, type]);
  return html`<${Confirm}
    title="Add a subscription"
    verb="Add"
    action=${action}
    onConfirm=${action.run}
    onClose=${close}
  >
    ${field("id", "Name", "crm")} ${field("url", "Address", "https://hooks.example.com/latchkey")}
    ${field("secret_name", "Name of its secret in EVENT_SECRETS", "crm")}
    <fieldset class="types">
      <legend>Events</legend>
      ${eventTypes.map(
        (type) =>
          html`<label class="check" key=${type}>
            <input type="checkbox" checked=${types.includes(type)} onChange=${() => toggle(type)} /> ${type}
          </label>`,
      )}
    </fieldset>
  <//>`;
}
