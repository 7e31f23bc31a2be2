import { setTimeout as delay } from "node:timers/promises";
import type { Task } from "graphile-worker";
import { z } from "zod";
import type { Log } from "../../runtime/log.ts";
import { createThrottledWarning } from "../../runtime/throttled_warning.ts";
import type { Delivery, EventOutcome } from "../delivery.ts";
import type { EventMessage, EventSender } from "./event_sender.ts";

/** As private.event_subscription_fault has it. */
export const mostSubscriptions = 16;
/** Events of one subscription that are sent at the same time: so many accounts may keep its target waiting. */
const mostInFlight = 8;
/** After this a job ends and the next one goes on: a worker that has to stop waits for none that never ends. */
const shiftMs = 20_000;
const lookAgainMs = 250;
/**
 * How long a job looks from the first event that waited, so that PostgreSQL seldom reads what was sent and deleted since
 * the last vacuum. An event of an earlier time that is committed meanwhile is found after it.
 */
const firstDueMs = 1_000;
/** How long a job that has caught up waits for more events: a call for each costs PostgreSQL several times as much. */
const gatherMs = 20;

const payloadSchema = z.object({ subscription_id: z.string() });

/**
 * Creates the task send_events: sends the events that wait for one subscription, those of an account in order, until
 * none is left to send now. SQL says which are next, and what becomes of those that the target did not take. The queue
 * runs one job of a subscription at a time, and delivers at least once: what was sent and not recorded is sent again.
 */
export function sendEvents(dependencies: {
  delivery: Pick<Delivery, "firstDue" | "nextEvents" | "recordEventDeliveries">;
  sender: EventSender;
  log: Log;
}): Task {
  const { delivery, sender, log } = dependencies;
  const warn = createThrottledWarning(log, "a target does not take events");
  return async (payload, { job, abortSignal: stopping }) => {
    const { subscription_id: subscriptionId } = payloadSchema.parse(payload);
    const inFlight = new Map<string, Promise<void>>();
    const ended: EventOutcome[] = [];
    const endsAt = performance.now() + shiftMs;

    async function send(message: EventMessage): Promise<void> {
      const { event_id: eventId, type } = message;
      const startedAt = performance.now();
      const error = await sender.send(message, stopping);
      inFlight.delete(eventId);
      // An attempt that the worker ended says nothing of its target.
      if (error !== undefined && stopping.aborted) return;
      ended.push({ eventId, error });
      const durationMs = Math.round(performance.now() - startedAt);
      const fields = { jobId: job.id, subscriptionId, eventId, type, durationMs, reason: error };
      log.debug(fields, error === undefined ? "event sent" : "event not sent");
      if (error !== undefined) warn(subscriptionId, error);
    }

    /** Records together what has ended since the last time. */
    async function record(): Promise<void> {
      const outcomes = [...ended];
      if (outcomes.length === 0) return;
      await delivery.recordEventDeliveries(subscriptionId, outcomes);
      // Others may have ended meanwhile.
      ended.splice(0, outcomes.length);
    }

    let dueFrom: Date | null = null;
    let dueFromUntil = 0;
    /** Returns at most so many events that can be sent now. */
    async function next(most: number): Promise<EventMessage[]> {
      if (most === 0) return [];
      if (performance.now() >= dueFromUntil) {
        dueFromUntil = performance.now() + firstDueMs;
        dueFrom = await delivery.firstDue(subscriptionId);
      }
      const taken = [...inFlight.keys(), ...ended.map(({ eventId }) => eventId)];
      return delivery.nextEvents(subscriptionId, { dueFrom, inFlight: taken, most });
    }

    try {
      while (!stopping.aborted && performance.now() < endsAt) {
        await record();
        const free = mostInFlight - inFlight.size;
        const messages = await next(free);
        for (const message of messages) inFlight.set(message.event_id, send(message));
        if (inFlight.size === 0 && ended.length === 0) return;
        // One that ends may let the next one of its account go; others may have come meanwhile.
        if (ended.length === 0) await Promise.race([...inFlight.values(), delay(lookAgainMs)]);
        if (messages.length < free) await delay(gatherMs);
      }
    } finally {
      await Promise.all(inFlight.values());
      await record();
    }
  };
}
