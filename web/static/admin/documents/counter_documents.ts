import { document } from "../graphql_access.ts";

export interface LiveCounters {
  sent: number;
  verified: number;
  refused: number;
  waiting: number;
  signed_in: number;
  registered: number;
  workers: number;
}

/** Sent over the socket: repeated after each change, at most once a second. */
export const countersSubscription = document<{ platform_live_counters: LiveCounters[] }>(
  `subscription { platform_live_counters(limit: 1) { sent verified refused waiting signed_in registered workers } }`,
);
