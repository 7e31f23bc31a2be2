import { setTimeout as delay } from "node:timers/promises";
import type { Task } from "graphile-worker";
import { z } from "zod";
import type { Log } from "../../runtime/log.ts";
import { createThrottledWarning } from "../../runtime/throttled_warning.ts";
import type { Delivery } from "../delivery.ts";
import type { EventSender } from "./event_sender.ts";

/** As private.event_subscription_fault has it. */
export const mostSubscriptions = 16;
/** Events of one subscription that are sent at the same time: so many accounts may keep its target waiting. */
const mostInFlight = 8;
/** After this a job ends and the next one goes on: a worker that has to stop waits for none that never ends. */
const shiftMs = 20_000;
const lookAgainMs = 250;

const payloadSchema = z.object({ subscription_id: z.string() });

/**
 * Creates the task send_events: sends the events that wait for one subscription, those of an account in order, until
 * none is left to send now. SQL says which is next, and what becomes of one that its target did not take. The queue runs
 * one job of a subscription at a time, and delivers at least once: what was sent and not recorded is sent again.
 */
export function sendEvents(dependencies: {
  delivery: Pick<Delivery, "nextEvent" | "recordEventDelivery">;
  sender: EventSender;
  log: Log;
}): Task {
  const { delivery, sender, log } = dependencies;
  const warn = createThrottledWarning(log, "a target does not take events");
  return async (payload, { job, abortSignal: stopping }) => {
    const { subscription_id: subscriptionId } = payloadSchema.parse(payload);
    const inFlight = new Map<string, Promise<void>>();
    let failure: Error | undefined;
    const endsAt = performance.now() + shiftMs;

    async function send(message: NonNullable<Awaited<ReturnType<Delivery["nextEvent"]>>>): Promise<void> {
      const { event_id: eventId, type } = message;
      const startedAt = performance.now();
      const error = await sender.send(message, stopping);
      // An attempt that the worker ended says nothing of its target.
      if (error !== undefined && stopping.aborted) return;
      await delivery.recordEventDelivery(subscriptionId, eventId, error);
      const durationMs = Math.round(performance.now() - startedAt);
      const fields = { jobId: job.id, subscriptionId, eventId, type, durationMs, reason: error };
      log.debug(fields, error === undefined ? "event sent" : "event not sent");
      if (error !== undefined) warn(subscriptionId, error);
    }

    while (!stopping.aborted && !failure && performance.now() < endsAt) {
      const message = inFlight.size < mostInFlight && (await delivery.nextEvent(subscriptionId, [...inFlight.keys()]));
      if (message) {
        const sending = send(message)
          // What cannot be recorded is not sent over and over.
          .catch((error: unknown) => void (failure = error as Error))
          .finally(() => inFlight.delete(message.event_id));
        inFlight.set(message.event_id, sending);
      } else if (inFlight.size === 0) return;
      // One that ends may let the next one of its account go; others may have come meanwhile.
      else await Promise.race([...inFlight.values(), delay(lookAgainMs)]);
    }
    await Promise.all(inFlight.values());
    if (failure) throw failure;
  };
}
