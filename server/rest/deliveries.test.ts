import { expect, test } from "vitest";
import { notificationDigest } from "../../runtime/database/notifications.ts";
import { watchDeliveries, type Deliveries } from "./deliveries.ts";

/** Deliveries, and a notification for them. */
function setUp(): { deliveries: Deliveries; notify: (otpId: string) => void } {
  let notify: (otpId: string) => void = () => undefined;
  const deliveries = watchDeliveries({
    on(_channel, callback) {
      notify = callback as typeof notify;
      return () => undefined;
    },
  });
  return { deliveries, notify: (otpId) => notify(notificationDigest(otpId)) };
}

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const [oneId, otherId] = [id(1), id(2)];
/** Longer than any test may take: a wait for its end would time the test out. */
const anHour = 3600;

test("a notification ends the wait for its one-time password, and no other wait", async () => {
  const { deliveries, notify } = setUp();
  const [one, other] = [deliveries.notified(oneId, anHour), deliveries.notified(otherId, anHour)];
  notify(otherId);
  expect(await other).toBe(true);
  const stillWaiting = await Promise.race([one, Promise.resolve("waiting")]);
  expect(stillWaiting).toBe("waiting");
  notify(oneId);
  expect(await one).toBe(true);
});

test("a notification that came before the wait ends it at once, and only once", async () => {
  const { deliveries, notify } = setUp();
  notify(oneId);
  expect(await deliveries.notified(oneId, anHour)).toBe(true);
  expect(await deliveries.notified(oneId, 0)).toBe(false);
});

test("a notification that comes between two waits ends the second", async () => {
  const { deliveries, notify } = setUp();
  const first = deliveries.notified(oneId, anHour);
  notify(oneId);
  await first;
  notify(oneId);
  expect(await deliveries.notified(oneId, anHour)).toBe(true);
});

test("a server that stops ends every wait, and those that begin later too", async () => {
  const { deliveries } = setUp();
  const waiting = [deliveries.notified(oneId, anHour), deliveries.notified(otherId, anHour)];
  deliveries.release();
  expect(await Promise.all(waiting)).toEqual([false, false]);
  expect(await deliveries.notified(id(3), anHour)).toBe(false);
});

test("ids that nobody waits for are kept up to a bound: the oldest are dropped", async () => {
  const { deliveries, notify } = setUp();
  notify(id(99_999));
  for (let count = 0; count < 10_000; count++) notify(id(count));
  expect(await deliveries.notified(id(99_999), 0)).toBe(false);
  expect(await deliveries.notified(id(0), 0)).toBe(true);
});
