import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { OtpText } from "./documents/message_documents.ts";
import type { Json } from "./documents/setting_documents.ts";
import { Badge } from "./parts.ts";
import { TextEditor } from "./text_editor.ts";
import { placeName, type Place } from "./text_place.ts";

const purposes = ["default", "LOGIN", "SIGNUP", "PASSWORD_RESET", "PHONE_CHANGE", "PHONE_CHANGED"];

/** The texts of all messages. One of them at a time can be edited. */
export function Texts({ provider, texts, reload }: { provider: Json; texts: OtpText[]; reload: () => void }) {
  const [place, setPlace] = useState<Place>({ purpose: null, locale: null });
  const [isNew, setNew] = useState(false);
  const isOpen = (text: Place) => !isNew && text.purpose === place.purpose && text.locale === place.locale;
  const open = texts.find(isOpen);
  const choose = (text: Place) => {
    setNew(false);
    setPlace({ purpose: text.purpose, locale: text.locale });
  };
  return html`<section class="card" aria-labelledby="texts">
    <h2 id="texts">Texts</h2>
    <ul class="texts">
      ${texts.map(
        (text) =>
          html`<li key=${placeName(text)}>
            <button type="button" aria-pressed=${isOpen(text)} onClick=${() => choose(text)}>
              <span>${placeName(text)}</span>
              <${Badge} tone=${text.segments > 1 ? "warn" : "plain"}>${text.segments} SMS<//>
            </button>
          </li>`,
      )}
    </ul>
    <details class="add">
      <summary>Add a text for a purpose or language</summary>
      <${NewPlace}
        onChosen=${(chosen: Place) => {
          setPlace(chosen);
          setNew(!texts.some((text) => text.purpose === chosen.purpose && text.locale === chosen.locale));
        }}
      />
    </details>
    <${TextEditor}
      key=${placeName(place) + String(isNew)}
      provider=${provider}
      place=${place}
      text=${open?.template ?? "{{code}} is your code."}
      reload=${() => {
        setNew(false);
        reload();
      }}
    />
  </section>`;
}

function NewPlace({ onChosen }: { onChosen: (place: Place) => void }) {
  const [purpose, setPurpose] = useState("default");
  const [locale, setLocale] = useState("");
  return html`<div class="filters">
    <label
      >Purpose
      <select
        value=${purpose}
        onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => setPurpose(currentTarget.value)}
      >
        ${purposes.map((name) => html`<option key=${name}>${name}</option>`)}
      </select>
    </label>
    <label
      >Language
      <input
        placeholder="de, pt-BR or default"
        value=${locale}
        onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setLocale(currentTarget.value.trim())}
      />
    </label>
    <button type="button" disabled=${locale === ""} onClick=${() => onChosen({ purpose, locale })}>
      Write it
    </button>
  </div>`;
}
