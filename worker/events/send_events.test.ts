import type { JobHelpers } from "graphile-worker";
import { expect, test } from "vitest";
import { createLog } from "../../runtime/log.ts";
import type { EventOutcome } from "../delivery.ts";
import { sendEvents } from "./send_events.ts";

const payload = { subscription_id: "crm" };
const helpers = { job: { id: "1" }, abortSignal: new AbortController().signal } as JobHelpers;
const log = createLog("test", "silent");
const messageOf = (id: number) => ({ event_id: `${id}`, type: "", url: "", secret_name: "", payload: "" });

/** Events that wait as in SQL: until they are recorded. */
function createQueue(count: number, onRecord: (outcomes: EventOutcome[]) => Promise<void>) {
  const waiting = new Set(Array.from({ length: count }, (_, id) => `${id}`));
  const recorded: string[] = [];
  return {
    recorded,
    firstDue: () => Promise.resolve(new Date(0)),
    nextEvents: (_: string, { inFlight, most }: { inFlight: string[]; most: number }) =>
      Promise.resolve(
        [...waiting]
          .filter((id) => !inFlight.includes(id))
          .slice(0, most)
          .map(Number)
          .map(messageOf),
      ),
    async recordEventDeliveries(_: string, outcomes: EventOutcome[]) {
      const ids = outcomes.map(({ eventId }) => eventId);
      await onRecord(outcomes);
      for (const id of ids) waiting.delete(id);
      recorded.push(...ids);
    },
  };
}

test("an event whose attempt ends while others are recorded is recorded next, and not sent again", async () => {
  const { promise: recording, resolve: startRecording } = Promise.withResolvers<undefined>();
  const sent: string[] = [];
  const ended: string[] = [];
  const queue = createQueue(8, async () => {
    startRecording(undefined);
    await expect.poll(() => ended.length).toBe(8);
  });
  const sender = {
    async send({ event_id: id }: { event_id: string }) {
      sent.push(id);
      if (id !== "0") await recording;
      ended.push(id);
      return undefined;
    },
  };
  await sendEvents({ delivery: queue, sender, log })(payload, helpers);
  expect(sent).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
  expect(queue.recorded).toEqual(sent);
});

test("at most eight attempts run at the same time, and what cannot be recorded is not sent over and over", async () => {
  let running = 0;
  let most = 0;
  let sent = 0;
  const queue = createQueue(100, () => Promise.reject(new Error("read-only")));
  const sender = {
    async send() {
      sent += 1;
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return undefined;
    },
  };
  await expect(sendEvents({ delivery: queue, sender, log })(payload, helpers)).rejects.toThrow("read-only");
  expect({ most, sent }).toEqual({ most: 8, sent: 8 });
});
