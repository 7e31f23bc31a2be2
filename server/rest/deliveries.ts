import { LRUCache } from "lru-cache";
import { setTimeout as delay } from "node:timers/promises";
import type { Listener } from "../../runtime/database/listener.ts";
import { notificationDigest, type Notifications } from "../../runtime/database/notifications.ts";

/**
 * Digests of ids that were notified before a request waits for them. Every server receives every notification, so most
 * belong to other servers; a request whose digest was evicted is answered at its deadline.
 */
const maxEarly = 10_000;

export interface Deliveries {
  /**
   * Waits for a notification about a one-time password.
   * @param seconds the longest time to wait
   * @returns true: notified, so the row may have changed; false: the time is over, or the server is stopping
   */
  notified: (otpId: string, seconds: number) => Promise<boolean>;
  /** Ends every wait, so that the server can stop. */
  release: () => void;
}

/**
 * Wakes the requests that wait for an SMS. A notification carries a digest of the id and no outcome, because any login
 * role may send one: it saves time, and the row decides (api.settle_otp_send). It arrives on another connection than
 * the answer that carries the id, so it may arrive before the request waits.
 */
export function watchDeliveries(listener: Pick<Listener<Notifications>, "on">): Deliveries {
  const waiting = new Map<string, () => void>();
  const early = new LRUCache<string, true>({ max: maxEarly });
  const released = new AbortController();

  listener.on("otp_delivery", (digest) => {
    const wake = waiting.get(digest);
    if (wake) wake();
    else early.set(digest, true);
  });

  return {
    async notified(otpId, seconds) {
      const digest = notificationDigest(otpId);
      if (early.delete(digest)) return true;
      const ended = new AbortController();
      const signal = AbortSignal.any([ended.signal, released.signal]);
      try {
        const woken = new Promise<boolean>((resolve) => waiting.set(digest, () => resolve(true)));
        const deadline = delay(seconds * 1000, false, { signal }).catch(() => false);
        return await Promise.race([woken, deadline]);
      } finally {
        waiting.delete(digest);
        ended.abort();
      }
    },
    release: () => released.abort(),
  };
}
