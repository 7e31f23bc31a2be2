import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { sessionsQuery, storyQuery, type Account, type DeliveryEvent } from "../documents/person_documents.ts";
import { formatClock, formatDay, formatMoment } from "../format.ts";
import { Answer, Empty, Problem } from "../parts.ts";
import { useQuery } from "../requests.ts";
import { accountEvents, inOrderOfTime, sessionEvents, toneOf, type StoryEvent } from "./story_events.ts";

const periods = [
  { name: "Last day", days: 1 },
  { name: "Last week", days: 7 },
  { name: "All that is stored", days: 0 },
];
/** Of the latest sessions; the list of sessions beside the story has all of them. */
const sessionsTold = 20;
/** The number of events that the database returns at once. */
const mostEvents = 200;

/**
 * What happened to a person, as the database explains it, in order of time: codes, deliveries, sign-ins. The latest
 * comes first.
 */
export function Story({ identifier, account }: { identifier: string; account?: Account }) {
  const [days, setDays] = useState(7);
  const [since, setSince] = useState(() => sinceDays(7));
  const choose = (value: number) => {
    setDays(value);
    setSince(sinceDays(value));
  };
  const story = useQuery(storyQuery, { phone: identifier, since });
  const sessions = useQuery(sessionsQuery, {
    user: account?.id ?? "00000000-0000-0000-0000-000000000000",
    limit: sessionsTold,
    before: "9999-12-31T00:00:00Z",
  });
  return html`<section class="card" aria-labelledby="story">
    <div class="section-head">
      <h2 id="story">Story</h2>
      <label class="inline"
        >Period
        <select
          value=${days}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => choose(Number(currentTarget.value))}
        >
          ${periods.map((period) => html`<option key=${period.days} value=${period.days}>${period.name}</option>`)}
        </select>
      </label>
      <button type="button" class="quiet" onClick=${() => [story, sessions].forEach(({ reload }) => reload())}>
        Refresh
      </button>
    </div>
    <${Answer} of=${story} busy="Reading the story…">
      ${({ explain_delivery: deliveries }: { explain_delivery: DeliveryEvent[] }) => {
        const events = [
          ...deliveries.map((event) => ({ ...event, tone: toneOf(event.what) })),
          ...sessionEvents(sessions.data?.user_session ?? []),
          ...(account ? accountEvents(account) : []),
        ].filter(({ at }) => Date.parse(at) >= Date.parse(since));
        return html`<${Problem} text=${sessions.problem} retry=${sessions.reload} />
          <${Timeline} events=${events} />
          ${
            deliveries.length === mostEvents &&
            html`<p class="soft">These are the latest ${mostEvents} events of codes: choose a shorter period.</p>`
          }`;
      }}
    <//>
  </section>`;
}

const sinceDays = (days: number): string =>
  days === 0 ? "1970-01-01T00:00:00Z" : new Date(Date.now() - days * 86_400_000).toISOString();

function Timeline({ events }: { events: StoryEvent[] }) {
  if (events.length === 0)
    return html`<${Empty}>Nothing happened in this period: no code was requested, and nobody signed in.<//>`;
  const latestFirst = events.toSorted(inOrderOfTime).reverse();
  const byDay = Map.groupBy(latestFirst, ({ at }) => formatDay(at));
  return [...byDay].map(
    ([day, ofDay]) =>
      html`<h3 key=${day}>${day}</h3>
        <ol class="story">
          ${ofDay.map(
            (event) =>
              html`<li key=${event.at + event.what} class=${event.tone}>
                <time datetime=${event.at} title=${formatMoment(event.at)}>${formatClock(event.at)}</time>
                <div>
                  <p>${event.what}</p>
                  ${event.details !== null && html`<p class="soft">${event.details}</p>`}
                </div>
              </li>`,
          )}
        </ol>`,
  );
}
