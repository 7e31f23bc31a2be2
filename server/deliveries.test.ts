import { expect, test } from "vitest";
import type { Listener } from "../common/listener.ts";
import { watchDeliveries, type Deliveries } from "./deliveries.ts";

/** Deliveries, and a NOTIFY for them. */
function setUp(): { deliveries: Deliveries; notify: (payload: string) => void } {
  const heard = new Map<string, (payload: string) => void>();
  const listener: Listener = {
    on(channel, callback) {
      heard.set(channel, callback);
      return () => heard.delete(channel);
    },
    onReconnect: () => undefined,
    stop: () => Promise.resolve(),
  };
  const deliveries = watchDeliveries(listener);
  return { deliveries, notify: (payload) => heard.get("otp_delivery")!(payload) };
}

/** Longer than any test may take: whoever waits for its end hangs. */
const anHour = 3600;

test("an outcome that comes after its waiter ends the wait", async () => {
  const { deliveries, notify } = setUp();
  const waiting = deliveries.outcome("one", anHour);
  notify("one sent");
  expect(await waiting).toBe("sent");
});

test("an outcome that came before its waiter is there at once, even without a time to wait", async () => {
  const { deliveries, notify } = setUp();
  notify("one refused");
  expect(await deliveries.outcome("one", anHour)).toBe("refused");
  expect(await deliveries.outcome("one", 0)).toBe("refused");
});

test("each waiter learns of its own delivery alone", async () => {
  const { deliveries, notify } = setUp();
  const [one, other] = [deliveries.outcome("one", anHour), deliveries.outcome("other", anHour)];
  notify("other refused");
  notify("nobody sent");
  notify("one sent");
  expect(await Promise.all([one, other])).toEqual(["sent", "refused"]);
});

test("when the time is over nothing is known", async () => {
  const { deliveries } = setUp();
  expect(await deliveries.outcome("one", 0)).toBeUndefined();
});

test("an outcome after the end of the wait is kept for the next waiter", async () => {
  const { deliveries, notify } = setUp();
  await deliveries.outcome("one", 0);
  notify("one sent");
  expect(await deliveries.outcome("one", anHour)).toBe("sent");
});

test("a server that stops lets every waiter go, and those that come later too", async () => {
  const { deliveries } = setUp();
  const waiting = [deliveries.outcome("one", anHour), deliveries.outcome("other", anHour)];
  deliveries.release();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  expect(await deliveries.outcome("third", anHour)).toBeUndefined();
});

test("a notification that says nothing does no harm", async () => {
  const { deliveries, notify } = setUp();
  notify("");
  notify("one");
  const waiting = deliveries.outcome("two", anHour);
  notify("two sent");
  expect(await waiting).toBe("sent");
});
