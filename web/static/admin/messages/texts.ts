import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { OtpText } from "../documents/message_documents.ts";
import type { Json } from "../documents/setting_documents.ts";
import { NewPlace } from "./new_place.ts";
import { Badge } from "../parts.ts";
import { TextEditor } from "./text_editor.ts";
import { placeName, type Place } from "./text_place.ts";

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
        verb="Write it"
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
