import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { eventsQuery, type EventFilter, type EventRow } from "../documents/event_documents.ts";
import { Failure } from "../graphql_access.ts";
import { search } from "../find/find_view.ts";
import { Answer, Empty, Heading, Pager, Problem } from "../parts.ts";
import { useAction, useQuery } from "../requests.ts";
import { Events } from "./event_table.ts";
import { eventTypes } from "./event_types.ts";
import { EventSubscriptions } from "./event_subscriptions.ts";

const pageSize = 25;

interface FieldEvent {
  currentTarget: HTMLInputElement | HTMLSelectElement;
}

/** The smallest id of a moment: ids are ordered by time. */
const firstId = (at: Date): string => {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

/** No account has this id. */
const nobody = "00000000-0000-0000-0000-000000000000";
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

interface Chosen {
  /** Of an account; undefined: everybody's. */
  userId?: string | undefined;
  type: string;
  /** Days as the fields have them; empty: from the oldest, to the newest. */
  from: string;
  to: string;
}

function toFilter({ userId, type, from, to }: Chosen, before: string): EventFilter {
  const end = new Date(`${to}T00:00:00`);
  end.setDate(end.getDate() + 1);
  const endId = to === "" ? lastId : firstId(end);
  return {
    id: { _lt: before < endId ? before : endId, ...(from !== "" && { _gte: firstId(new Date(`${from}T00:00:00`)) }) },
    ...(type !== "" && { type: { _eq: type } }),
    ...(userId !== undefined && { user_id: { _eq: userId } }),
  };
}

/** What happened, who did it, and who else is told of it. */
export function EventsView() {
  const [chosen, setChosen] = useState<Chosen>({ type: "", from: "", to: "" });
  return html`<${Heading}>Events<//>
    <${Filters} chosen=${chosen} onChange=${setChosen} />
    <section class="card" aria-labelledby="what-happened">
      <h2 id="what-happened">What happened</h2>
      <${Pages} key=${JSON.stringify(chosen)} chosen=${chosen} />
    </section>
    <${EventSubscriptions} />`;
}

/** The person is searched for as it is entered; the other fields count at once. */
function Filters({ chosen, onChange }: { chosen: Chosen; onChange: (chosen: Chosen) => void }) {
  const [person, setPerson] = useState("");
  const find = useAction(async () => {
    if (person.trim() === "") {
      onChange({ ...chosen, userId: undefined });
      return "";
    }
    const found = await search(person.trim());
    const userId = Array.isArray(found) ? undefined : found.accountId;
    // The events of the person before must not stay below another name.
    onChange({ ...chosen, userId: userId ?? nobody });
    if (userId === undefined) throw new Failure("There is no account of this person.");
    return "";
  });
  const submit = (event: Event) => {
    event.preventDefault();
    find.run();
  };
  const set =
    (name: "type" | "from" | "to") =>
    ({ currentTarget }: FieldEvent) =>
      onChange({ ...chosen, [name]: currentTarget.value });
  return html`<form class="filters" role="search" aria-label="Events" onSubmit=${submit}>
      <label
        >Person
        <input
          type="search"
          placeholder="phone, email or id"
          autocomplete="off"
          spellcheck=${false}
          value=${person}
          onInput=${({ currentTarget }: FieldEvent) => setPerson(currentTarget.value)}
        />
      </label>
      <label
        >Type
        <select value=${chosen.type} onChange=${set("type")}>
          <option value="">all</option>
          ${eventTypes.map((type) => html`<option key=${type} value=${type}>${type}</option>`)}
        </select>
      </label>
      <label>From <input type="date" value=${chosen.from} onChange=${set("from")} /></label>
      <label>To <input type="date" value=${chosen.to} onChange=${set("to")} /></label>
      <button disabled=${find.isBusy}>Show</button>
    </form>
    <${Problem} text=${find.problem} />`;
}

function Pages({ chosen }: { chosen: Chosen }) {
  const [starts, setStarts] = useState([lastId]);
  const answer = useQuery(eventsQuery, {
    where: toFilter(chosen, starts.at(-1) ?? lastId),
    limit: pageSize + 1,
  });
  return html`<${Answer} of=${answer}>
    ${({ platform_event }: { platform_event: EventRow[] }) => {
      const rows = platform_event.slice(0, pageSize);
      const next = platform_event.length > pageSize ? rows.at(-1)?.id : undefined;
      if (rows.length === 0) return html`<${Empty}>Nothing of this kind is recorded.<//>`;
      return html`<${Events} rows=${rows} />
        <${Pager} starts=${starts} next=${next} setStarts=${setStarts} isBusy=${answer.isBusy} />`;
    }}
  <//>`;
}
