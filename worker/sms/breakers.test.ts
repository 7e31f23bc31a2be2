import { expect, test } from "vitest";
import type { AttemptResult, Outcome } from "../message.ts";
import { createBreakers } from "./breakers.ts";

function setUp() {
  let time = 0;
  const breakers = createBreakers(["twilio", "vonage"], () => time);
  const send = async (outcome: Outcome, rest: Partial<AttemptResult> = {}, times = 1) => {
    for (let count = 0; count < times; count++)
      await breakers.run("twilio", () => Promise.resolve({ outcome, ...rest }));
  };
  return { ...breakers, send, wait: (ms: number) => (time += ms) };
}

test.each(["declined", "unreachable", "uncertain"] as const)(
  "a provider whose attempts end %s five times in a row is skipped for ten seconds",
  async (outcome) => {
    const { send, unavailable, wait } = setUp();
    await send(outcome, {}, 4);
    expect(unavailable()).toEqual([]);
    await send(outcome);
    expect(unavailable()).toEqual(["twilio"]);
    wait(9_999);
    expect(unavailable()).toEqual(["twilio"]);
    wait(1);
    expect(unavailable()).toEqual([]);
  },
);

test("refusals of recipients skip no provider, and a success resets the count of failures", async () => {
  const { send, unavailable } = setUp();
  await send("refused", {}, 50);
  await send("uncertain", {}, 4);
  await send("sent");
  await send("uncertain", {}, 4);
  expect(unavailable()).toEqual([]);
});

test("a provider is skipped for the time of its Retry-After", async () => {
  const { send, unavailable, wait } = setUp();
  await send("declined", { retryAfterSeconds: 30 });
  wait(29_999);
  expect(unavailable()).toEqual(["twilio"]);
  wait(1);
  expect(unavailable()).toEqual([]);
});

test("a skipped provider that SQL chooses because there is no other is tried", async () => {
  const { send, run } = setUp();
  await send("uncertain", {}, 10);
  expect(await run("twilio", () => Promise.resolve({ outcome: "sent" }))).toEqual({ outcome: "sent" });
});

test("after its ten seconds a provider is skipped again by one failure, and no more by a success", async () => {
  const { send, unavailable, wait } = setUp();
  await send("uncertain", {}, 5);
  wait(5_000);
  await send("uncertain");
  wait(5_000);
  expect(unavailable(), "a failure meanwhile does not count").toEqual([]);
  await send("uncertain");
  expect(unavailable()).toEqual(["twilio"]);
  wait(10_000);
  await send("sent");
  await send("uncertain", {}, 4);
  expect(unavailable()).toEqual([]);
});

test("sends do not wait for the one that tests whether a skipped provider works again", async () => {
  const { send, run, wait } = setUp();
  await send("uncertain", {}, 5);
  wait(10_000);
  const slow = Promise.withResolvers<AttemptResult>();
  const first = run("twilio", () => slow.promise);
  let isSent = false;
  const second = run("twilio", () => {
    isSent = true;
    return Promise.resolve({ outcome: "sent" });
  });
  await new Promise(setImmediate);
  expect(isSent).toBe(true);
  slow.resolve({ outcome: "uncertain" });
  await Promise.all([first, second]);
});
