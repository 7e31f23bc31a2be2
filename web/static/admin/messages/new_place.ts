import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { Place } from "./text_place.ts";

const purposes = [
  "default",
  "LOGIN",
  "SIGNUP",
  "PASSWORD_RESET",
  "PHONE_CHANGE",
  "EMAIL_CHANGE",
  "PHONE_CHANGED",
  "PHONE_CHANGE_DUE",
  "EMAIL_CHANGED",
  "FACTORS_CHANGED",
  "INVITATION",
];

/** Chooses a purpose and a language: the place of a text, or of a vendor's id of it. */
export function NewPlace({ verb, onChosen }: { verb: string; onChosen: (place: Place) => void }) {
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
    <button type="button" disabled=${locale === ""} onClick=${() => onChosen({ purpose, locale })}>${verb}</button>
  </div>`;
}
