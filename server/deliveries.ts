import { setTimeout as delay } from "node:timers/promises";
import type { Listener } from "../common/listener.ts";

/** How long an outcome is kept for a waiter that has not come yet. */
const keepMs = 60_000;

export interface Deliveries {
  /** Resolves with the outcome that NOTIFY brought, or with undefined when the time is over or the server stops. */
  outcome: (otpId: string, seconds: number) => Promise<string | undefined>;
  /** Lets every waiter go; each then asks the row. */
  release: () => void;
}

/**
 * The requests that wait for an SMS. NOTIFY only saves time, the row decides: whoever learns nothing here asks
 * api.settle_otp_send. Outcomes come on another connection than the id, so one may be here before its waiter.
 */
export function watchDeliveries(listener: Listener): Deliveries {
  const waiting = new Map<string, (outcome: string) => void>();
  const early = new Map<string, string>();
  const released = new AbortController();

  listener.on("otp_delivery", (payload) => {
    const [otpId = "", outcome = ""] = payload.split(" ");
    const resolve = waiting.get(otpId);
    if (resolve) {
      resolve(outcome);
      return;
    }
    // Every server hears of every delivery, so most of these belong to another one.
    early.set(otpId, outcome);
    setTimeout(() => early.delete(otpId), keepMs).unref();
  });

  return {
    async outcome(otpId, seconds) {
      const known = early.get(otpId);
      if (known !== undefined) return known;
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, released.signal]);
      try {
        const notified = new Promise<string>((resolve) => waiting.set(otpId, resolve));
        return await Promise.race([
          notified,
          delay(seconds * 1000, undefined, { signal }).catch(() => undefined),
        ]);
      } finally {
        waiting.delete(otpId);
        over.abort();
      }
    },
    release: () => released.abort(),
  };
}
