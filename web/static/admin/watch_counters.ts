import { createClient } from "graphql-ws/client";
import { countersSubscription, type LiveCounters } from "./documents/counter_documents.ts";

export type Connection = "connecting" | "live" | "lost";

interface Receiver {
  onCounters: (counters: LiveCounters) => void;
  onConnection: (connection: Connection) => void;
}

/** A new hour sends no notification, so the counters are also requested at intervals. */
const renewalMs = 60_000;

/**
 * Subscribes to the live counters. The library connects again by itself; the secret is in the first message, never in
 * the URL.
 * @returns ends the subscription and its socket
 */
export function watchCounters(secret: string, { onCounters, onConnection }: Receiver): () => void {
  const client = createClient({
    url: `${location.protocol.replace("http", "ws")}//${location.host}/v1/graphql`,
    connectionParams: { headers: { "x-admin-secret": secret } },
    retryAttempts: Infinity,
    shouldRetry: () => true,
    keepAlive: 20_000,
    on: {
      connecting: () => onConnection("connecting"),
      connected: () => onConnection("live"),
      closed: () => onConnection("lost"),
    },
  });
  const subscribe = () =>
    client.subscribe<{ platform_live_counters: LiveCounters[] }>(
      { query: countersSubscription.text },
      {
        next: ({ data }) => {
          const [counters] = data?.platform_live_counters ?? [];
          if (counters) onCounters(counters);
        },
        error: () => onConnection("lost"),
        complete: () => undefined,
      },
    );
  let unsubscribe = subscribe();
  const timer = setInterval(() => {
    const previous = unsubscribe;
    unsubscribe = subscribe();
    previous();
  }, renewalMs);
  return () => {
    clearInterval(timer);
    unsubscribe();
    void client.dispose();
  };
}
