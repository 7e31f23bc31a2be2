import { expect, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { collectLog } from "../../testing/log_lines.ts";
import type { Delivery } from "../delivery.ts";
import { startQueueingEvents } from "./queue_events.ts";

test("a subscription whose events wait for long, or whose queue is full, is named in the log with the moment since when", async () => {
  const since = new Date("2026-11-29T10:00:00Z");
  const delivery: Pick<Delivery, "queueEvents" | "watchEventBacklogs"> = {
    queueEvents: () => Promise.resolve(),
    watchEventBacklogs: () =>
      Promise.resolve([
        { subscription_id: "late", waiting_since: since, is_full: false },
        { subscription_id: "full", waiting_since: since, is_full: true },
      ]),
  };
  const { log, lines } = collectLog();
  const queueing = startQueueingEvents({ delivery, log });
  await eventually("both are in the log", () => lines.length === 2);
  await queueing.stop();
  expect(lines).toEqual([
    expect.objectContaining({
      level: 40,
      subscriptionId: "late",
      since: since.toISOString(),
      msg: "events have waited for a subscription for ten minutes",
    }),
    expect.objectContaining({
      level: 40,
      subscriptionId: "full",
      since: since.toISOString(),
      msg: "too many events wait for a subscription: new ones are not queued",
    }),
  ]);
});
