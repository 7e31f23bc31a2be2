import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { LiveCounters } from "./documents/counter_documents.ts";
import { formatNumber } from "./format.ts";
import { watchCounters, type Connection } from "./watch_counters.ts";
import { secret } from "./state.ts";

const shown: [keyof LiveCounters, string][] = [
  ["sent", "sent"],
  ["verified", "verified"],
  ["waiting", "waiting"],
  ["refused", "refused"],
  ["signed_in", "signed in"],
  ["registered", "registered"],
  ["workers", "workers"],
];
const states: Record<Connection, string> = {
  connecting: "Connecting…",
  live: "Live, this hour",
  lost: "Connection lost: trying again",
};

/** The live counters, in the header of every view. */
export function Counters() {
  const [counters, setCounters] = useState<LiveCounters | undefined>();
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(
    () => watchCounters(secret.value, { onCounters: setCounters, onConnection: setConnection }),
    [secret.value],
  );
  const isWithoutWorker = counters?.workers === 0;
  return html`<section class=${`counters ${connection}`} aria-label="Live counters">
    <span class="dot" aria-hidden="true"></span>
    <span class="state-name">${states[connection]}</span>
    <dl>
      ${shown.map(
        ([name, text]) =>
          html`<div key=${name} class=${name === "workers" && isWithoutWorker ? "bad" : ""}>
            <dt>${name === "workers" && counters?.workers === 1 ? "worker" : text}</dt>
            <dd>${counters ? formatNumber(counters[name]) : "–"}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}
