import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Confirm } from "../dialog.ts";
import { replayEvents } from "../documents/event_documents.ts";
import { formatNumber } from "../format.ts";
import { ask, serverNow } from "../graphql_access.ts";
import { useAction } from "../requests.ts";

interface FieldEvent {
  currentTarget: HTMLInputElement;
}

const dayMs = 86_400_000;

/** As a field of a date and time has it, in the browser's time zone. */
const toField = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

interface Properties {
  subscription: string;
  done: (text: string) => string;
  close: () => void;
}

/** Asks from when to when events are sent again. */
export function ReplayEvents({ subscription, done, close }: Properties) {
  const [from, setFrom] = useState(() => toField(new Date(serverNow().getTime() - dayMs)));
  const [to, setTo] = useState(() => toField(new Date(serverNow().getTime() + 60_000)));
  const action = useAction(async () => {
    const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const { replay_events: rows } = await ask(replayEvents, { subscription, ...times });
    const queued = rows[0]?.queued ?? 0;
    return done(`${formatNumber(queued)} ${queued === 1 ? "event is" : "events are"} sent to ${subscription} again.`);
  });
  return html`<${Confirm}
    title=${`Replay events of ${subscription}?`}
    verb="Replay"
    action=${action}
    onConfirm=${action.run}
    onClose=${close}
  >
    <p>
      Sends those of its types again that happened in this time, also those that its target has taken: each has the same
      <code>webhook-id</code>. At most 10,000.
    </p>
    <label
      >From
      <input
        type="datetime-local"
        required
        value=${from}
        onInput=${({ currentTarget }: FieldEvent) => setFrom(currentTarget.value)}
      />
    </label>
    <label
      >To
      <input
        type="datetime-local"
        required
        value=${to}
        onInput=${({ currentTarget }: FieldEvent) => setTo(currentTarget.value)}
      />
    </label>
  <//>`;
}
