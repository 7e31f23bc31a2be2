import { getEventListeners } from "node:events";
import { randomUUID } from "node:crypto";
import type { JobHelpers } from "graphile-worker";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { AttemptResult, Message } from "../message.ts";
import { sendOtp } from "./send_otp.ts";

/** The task with one message to send, and what it has recorded. `send` is the vendor's part. */
function prepare(send: () => Promise<AttemptResult>) {
  const recorded: AttemptResult[] = [];
  const stopping = new AbortController();
  const message = {
    provider: "http",
    options: {},
    channel: "sms",
    recipient: "+12125550123",
    attempt_id: "1",
  };
  const run = sendOtp({
    delivery: {
      issueOtpCode: () => Promise.resolve(message as Message),
      recordAttempt: (_, result) => Promise.resolve(void recorded.push(result)),
    },
    providers: { send, unavailable: () => [] },
    providerCheck: { isUsable: () => true, canSend: () => Promise.resolve(true) },
    codeKey: Buffer.alloc(32),
    log: pino({ enabled: false }),
  });
  const helpers = { job: { id: "1" }, abortSignal: stopping.signal } as unknown as JobHelpers;
  return { recorded, stopping, run: () => run({ otp_id: randomUUID() }, helpers) };
}

test("a message that was sent leaves no listener on the worker's stop signal", async () => {
  const { recorded, stopping, run } = prepare(() => Promise.resolve({ outcome: "sent" }));
  await run();
  expect(recorded).toEqual([{ outcome: "sent" }]);
  expect(getEventListeners(stopping.signal, "abort")).toEqual([]);
});

test("a worker that stops does not wait for a silent vendor", async () => {
  const { recorded, stopping, run } = prepare(() => new Promise(() => undefined));
  const done = run();
  setImmediate(() => stopping.abort());
  await done;
  expect(recorded).toEqual([{ outcome: "uncertain", reason: "the worker is stopping" }]);
});

test("a worker that has stopped does not wait for a silent vendor", async () => {
  const { recorded, stopping, run } = prepare(() => new Promise(() => undefined));
  stopping.abort();
  await run();
  expect(recorded).toMatchObject([{ outcome: "uncertain" }]);
});
