import { html } from "htm/preact";
import { Counters } from "./counters.ts";
import { Find } from "./find/find_view.ts";
import { lazily } from "./lazy.ts";
import { view, type View } from "./current_view.ts";
import { forget, notice, subject } from "./state.ts";

/** Loaded when they are shown: what an operator does first is to find a person. */
const PersonView = lazily(async () => (await import("./person/person_view.ts")).Person);
const MessagesView = lazily(async () => (await import("./messages/messages_view.ts")).Messages);
const SettingsView = lazily(async () => (await import("./settings/settings_view.ts")).Settings);
const DeliveryView = lazily(async () => (await import("./delivery/delivery_view.ts")).Delivery);

const SignInsView = lazily(async () => (await import("./sign_ins/sign_ins_view.ts")).SignIns);
const EventsPage = lazily(async () => (await import("./events/events_view.ts")).EventsView);

const pages = {
  find: Find,
  person: PersonView,
  "sign-ins": SignInsView,
  events: EventsPage,
  delivery: DeliveryView,
  messages: MessagesView,
  settings: SettingsView,
};
const tabs: [View, string][] = [
  ["find", "Find"],
  ["person", "Person"],
  ["sign-ins", "Sign-ins"],
  ["events", "Events"],
  ["delivery", "Delivery"],
  ["messages", "Messages"],
  ["settings", "Settings"],
];

/** The frame around each view of a signed-in operator. */
export function Frame() {
  const isChosen = Object.keys(subject.value).length > 0;
  return html`<header class="bar">
      <div class="bar-row">
        <span class="brand">Latchkey <span class="soft">console</span></span>
        <nav aria-label="Views">
          ${tabs
            .filter(([name]) => name !== "person" || isChosen)
            .map(
              ([name, text]) =>
                html`<a key=${name} href=${`#/${name}`} aria-current=${view.value === name ? "page" : undefined}
                  >${text}</a
                >`,
            )}
        </nav>
        <button type="button" class="quiet" onClick=${() => forget()}>Sign out</button>
      </div>
      <${Counters} />
    </header>
    <main>
      <${pages[view.value]} key=${view.value + JSON.stringify(view.value === "person" ? subject.value : "")} />
    </main>
    <p class="notice" role="status" data-shown=${notice.value !== ""}>${notice.value}</p>`;
}
