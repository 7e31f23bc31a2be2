import { html } from "htm/preact";
import type { EventRow } from "../documents/event_documents.ts";
import { openPerson } from "../current_view.ts";
import { Moment, Table, type Column } from "../parts.ts";

const columns: Column[] = [["When"], ["What"], ["Who did it"], ["Concerns"], ["Details"]];

/** Longer values are cut: the whole one is in GraphQL. */
const longest = 300;

const toText = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

export function Events({ rows }: { rows: EventRow[] }) {
  return html`<${Table}
    label="Events"
    columns=${columns}
    rows=${rows.map((event) => ({
      key: event.id,
      cells: [
        html`<${Moment} at=${event.at} />`,
        html`<code>${event.type}</code>`,
        html`${event.actor}${event.client !== null && html`<span class="soft"> · ${event.client}</span>`}`,
        html`<${Target} event=${event} />`,
        html`<${Details} data=${event.data} />`,
      ],
    }))}
  />`;
}

/** The account, or the setting, that an event concerns. */
function Target({ event: { user_id: userId, data } }: { event: EventRow }) {
  if (userId !== null)
    return html`<button
      type="button"
      class="link id"
      title=${userId}
      onClick=${() => openPerson({ accountId: userId })}
    >
      account …${userId.slice(-8)}
    </button>`;
  return typeof data.key === "string" ? html`<code>${data.key}</code>` : html`<span class="soft">–</span>`;
}

/** Old and new value, where the event has them, before everything else. */
function Details({ data }: { data: Record<string, unknown> }) {
  const { old, new: value } = data;
  const isChange = "old" in data || "new" in data;
  const rest = Object.entries(data).filter(([name]) => !["key", "old", "new"].includes(name));
  if (!isChange && rest.length === 0) return html`<span class="soft">–</span>`;
  return html`<span class="details"
    >${isChange && html`<del>${toText(old ?? "none")}</del> → <ins>${toText(value ?? "none")}</ins> `}${rest.map(
      ([name, member]) => html`<span key=${name}><span class="soft">${name}</span> ${toText(member)} </span>`,
    )}</span
  >`;
}
