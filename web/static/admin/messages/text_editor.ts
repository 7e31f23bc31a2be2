import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { previewQuery, type Preview } from "../documents/message_documents.ts";
import { writeSetting, type Json } from "../documents/setting_documents.ts";
import { ask } from "../graphql_access.ts";
import { Answer, Badge, Problem } from "../parts.ts";
import { useAction, useQuery } from "../requests.ts";
import { placeName, withText, type Place } from "./text_place.ts";

const pauseMs = 300;

interface Properties {
  provider: Json;
  place: Place;
  text: string;
  reload: () => void;
}

/** Edits a text. Beside it the message is shown, which the database fills in and measures in SMS. */
export function TextEditor({ provider, place, text: stored, reload }: Properties) {
  const [text, setText] = useState(stored);
  const settled = useSettled(text, pauseMs);
  const preview = useQuery(previewQuery, { template: settled });
  const save = useAction(async () => {
    await ask(writeSetting, { key: "OTP_PROVIDER", value: withText(provider, place, text) });
    reload();
    return `The text for ${placeName(place)} is in force.`;
  });
  const remove = useAction(async () => {
    await ask(writeSetting, { key: "OTP_PROVIDER", value: withText(provider, place, undefined) });
    reload();
    return `The text for ${placeName(place)} is removed.`;
  });
  const submit = (event: Event) => {
    event.preventDefault();
    save.run();
  };
  return html`<form class="text-editor" onSubmit=${submit} aria-busy=${save.isBusy}>
    <label
      >${placeName(place)}
      <textarea
        rows="4"
        maxlength="1000"
        value=${text}
        aria-invalid=${save.problem !== ""}
        onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)}
      ></textarea>
    </label>
    <p class="soft"><code>{{code}}</code> is the code, <code>{{minutes}}</code> how long it is valid.</p>
    <${Answer} of=${preview} busy="Measuring…">
      ${({ preview_message: [shown] }: { preview_message: Preview[] }) => shown && html`<${Bubble} preview=${shown} />`}
    <//>
    <${Problem} text=${save.problem || remove.problem} />
    <div class="buttons">
      ${
        place.purpose !== null &&
        html`<button type="button" class="danger quiet" disabled=${remove.isBusy} onClick=${remove.run}>
          Remove this text
        </button>`
      }
      <button class="primary" disabled=${save.isBusy}>${save.isBusy ? "Saving…" : "Save text"}</button>
    </div>
  </form>`;
}

const Bubble = ({ preview }: { preview: Preview }) =>
  html`<figure class="preview">
    <blockquote class="bubble">${preview.message}</blockquote>
    <figcaption>
      <${Badge} tone=${preview.segments > 1 ? "warn" : "good"}>${preview.segments} SMS<//>
      <span class="soft">${preview.characters} characters, ${preview.encoding}, with the longest code and minutes</span>
      ${preview.fault !== null && preview.fault !== "" && html`<span class="fault">${preview.fault}</span>`}
    </figcaption>
  </figure>`;

/** Returns the value once it has not changed for a while, so that not every key causes a request. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
