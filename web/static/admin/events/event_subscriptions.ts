import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Confirm } from "../dialog.ts";
import {
  deleteSubscription,
  enableSubscription,
  subscriptionsQuery,
  type Backlog,
  type Subscription,
  type Subscriptions,
} from "../documents/event_documents.ts";
import { formatNumber } from "../format.ts";
import { ask } from "../graphql_access.ts";
import { Answer, Badge, Empty, Moment, Problem, Table, type Column } from "../parts.ts";
import { useAction, useQuery } from "../requests.ts";
import { AddSubscription } from "./add_subscription.ts";
import { ReplayEvents } from "./replay_events.ts";

type Opened = { what: "add" } | { what: "replay" | "off" | "delete"; id: string } | undefined;

const mostCounted = 10_000;
const formatCount = (count: number): string =>
  count > mostCounted ? `over ${formatNumber(mostCounted)}` : formatNumber(count);

const columns: Column[] = [
  ["Subscription"],
  ["Target"],
  ["Waiting", "number"],
  ["Failed", "number"],
  ["Last taken"],
  ["Actions"],
];

/** Where events are sent, how it goes, and what can be done. */
export function EventSubscriptions() {
  const answer = useQuery(subscriptionsQuery, {});
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const done = (text: string): string => {
    close();
    answer.reload();
    return text;
  };
  const turn = useAction(async (id: string, enabled: boolean) => {
    await ask(enableSubscription, { id, enabled });
    return done(`${id} is ${enabled ? "on" : "off"}.`);
  });
  const remove = useAction(async () => {
    if (opened?.what === "delete") await ask(deleteSubscription, { id: opened.id });
    return done("The subscription is deleted.");
  });
  return html`<section class="card" aria-labelledby="subscriptions">
    <div class="section-head">
      <h2 id="subscriptions">Webhooks</h2>
      <button type="button" onClick=${() => setOpened({ what: "add" })}>Add a subscription…</button>
    </div>
    <${Problem} text=${turn.problem} />
    <${Answer} of=${answer}>
      ${({ settings_event_subscription: rows, platform_event_backlog: backlogs }: Subscriptions) =>
        rows.length === 0
          ? html`<${Empty}>Events are sent nowhere.<//>`
          : html`<${Table}
              label="Subscriptions"
              columns=${columns}
              rows=${rows.map((row) => ({
                key: row.id,
                cells: cellsOf(
                  row,
                  backlogs.find(({ subscription_id }) => subscription_id === row.id),
                  {
                    turn: () => (row.enabled ? setOpened({ what: "off", id: row.id }) : turn.run(row.id, true)),
                    replay: () => setOpened({ what: "replay", id: row.id }),
                    remove: () => setOpened({ what: "delete", id: row.id }),
                  },
                ),
              }))}
            />`}
    <//>
    ${opened?.what === "add" && html`<${AddSubscription} done=${done} close=${close} />`}
    ${opened?.what === "replay" && html`<${ReplayEvents} subscription=${opened.id} done=${done} close=${close} />`}
    ${
      opened?.what === "off" &&
      html`<${Confirm}
        title=${`Turn ${opened.id} off?`}
        verb="Turn off"
        isDangerous
        action=${turn}
        onConfirm=${() => turn.run(opened.id, false)}
        onClose=${close}
      >
        <p>What waits for it is dropped. Events can be replayed once it is on again.</p>
      <//>`
    }
    ${
      opened?.what === "delete" &&
      html`<${Confirm}
        title=${`Delete ${opened.id}?`}
        verb="Delete"
        isDangerous
        action=${remove}
        onConfirm=${remove.run}
        onClose=${close}
      >
        <p>It gets no further events. What waits for it and what failed is forgotten.</p>
      <//>`
    }
  </section>`;
}

function cellsOf(
  row: Subscription,
  backlog: Backlog | undefined,
  act: { turn: () => void; replay: () => void; remove: () => void },
) {
  return [
    html`<strong>${row.id}</strong> <${State} row=${row} backlog=${backlog} />`,
    html`<span class="details" title=${row.types.join(", ")}
      >${row.url}${" "}<span class="soft"
        >· ${row.types.length === 1 ? row.types[0] : `${row.types.length} types`} · secret ${row.secret_name}</span
      ></span
    >`,
    formatCount(backlog?.waiting ?? 0),
    formatCount(backlog?.failed ?? 0),
    backlog?.last_success_at
      ? html`<${Moment} at=${backlog.last_success_at} />`
      : html`<span class="soft">never</span>`,
    html`<span class="buttons">
      <button type="button" aria-label=${`Replay events of ${row.id}`} disabled=${!row.enabled} onClick=${act.replay}>
        Replay…
      </button>
      <button type="button" aria-label=${`${row.enabled ? "Turn off" : "Turn on"} ${row.id}`} onClick=${act.turn}>
        ${row.enabled ? "Turn off…" : "Turn on"}
      </button>
      <button type="button" class="quiet" aria-label=${`Delete ${row.id}`} onClick=${act.remove}>Delete…</button>
    </span>`,
  ];
}

/** In one word; what is wrong beside it. */
function State({ row, backlog }: { row: Subscription; backlog: Backlog | undefined }) {
  if (!row.enabled) return html`<${Badge}>off<//>`;
  const { full_from: fullFrom, full_to: fullTo, last_error: error, last_failure_at: failedAt } = backlog ?? {};
  if (fullFrom && !fullTo) return html`<${Badge} tone="bad">full since ${new Date(fullFrom).toLocaleString()}<//>`;
  const isFailing = failedAt && (!backlog?.last_success_at || failedAt > backlog.last_success_at);
  if (isFailing) return html`<${Badge} tone="bad">fails: ${error}<//>`;
  return html`<${Badge} tone="good">on<//>`;
}
