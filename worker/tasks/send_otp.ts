import { setTimeout as delay } from "node:timers/promises";
import type { Task } from "graphile-worker";
import { z } from "zod";
import { maskRecipient, type Log } from "../../runtime/log.ts";
import { acceptableRequestId } from "../../runtime/request_ids.ts";
import { traceparentPattern, type Traces } from "../../runtime/traces.ts";
import type { Delivery } from "../delivery.ts";
import type { AttemptResult, Message } from "../message.ts";
import type { ProviderCheck } from "../provider_check.ts";
import type { Providers } from "../sms/providers.ts";

/** One member that is not as it should be costs a log line its id, and nobody the message. */
const payloadSchema = z.object({
  otp_id: z.uuid(),
  request_id: z.string().regex(acceptableRequestId).optional().catch(undefined),
  session_id: z.uuid().optional().catch(undefined),
  traceparent: z.string().regex(traceparentPattern).optional().catch(undefined),
});
type Payload = z.output<typeof payloadSchema>;

/** The ids of a job's payload, as its log lines have them. */
export function idsOf(payload: unknown): {
  otpId?: string;
  requestId?: string | undefined;
  sessionId?: string | undefined;
} {
  const { data } = payloadSchema.safeParse(payload);
  return data ? { otpId: data.otp_id, requestId: data.request_id, sessionId: data.session_id } : {};
}

/**
 * Creates the task send_otp: SQL creates the code and chooses the provider, the vendor sends the message, SQL records
 * the attempt and decides about the next one. No transaction is open while the vendor works. The queue delivers at
 * least once: a second run of the same job creates a new code, or finds nothing left to send.
 */
export function sendOtp(dependencies: {
  delivery: Pick<Delivery, "issueOtpCode" | "recordAttempt">;
  providers: Pick<Providers, "send" | "unavailable">;
  providerCheck: ProviderCheck;
  codeKey: Buffer;
  /** Counts an attempt in the metrics. */
  onAttempt?: ((message: Message, result: AttemptResult, durationMs: number) => void) | undefined;
  traces?: Traces | undefined;
  log: Log;
}): Task {
  const { delivery, providers, providerCheck, codeKey, onAttempt, traces, log } = dependencies;

  /** Makes one attempt. Resolves with the milliseconds until the next one; undefined if there is none. */
  async function attempt(payload: Payload, jobId: string, stopping: AbortSignal): Promise<number | undefined> {
    const { otp_id: otpId, ...caused } = payload;
    // Before the message exists, because its receipt goes on from what is stored with the attempt.
    const span = caused.traceparent
      ? traces?.begin({ name: "send", kind: "client", parent: caused.traceparent })
      : undefined;
    const request = span ? { ...caused, traceparent: span.traceparent } : caused;
    const ids = { jobId, ...idsOf(payload) };
    const message = await delivery.issueOtpCode(otpId, codeKey, providers.unavailable(), request);
    if (message === undefined) {
      log.info(ids, "nothing to send");
      span?.end({ attributes: { "latchkey.outcome": "nothing to send" } });
      // SQL drops every message while OTP_PROVIDER is not set: canSend() warns about that.
      await providerCheck.canSend();
      return undefined;
    }
    const { provider, options, channel, recipient, attempt_id: attemptId } = message;
    providerCheck.isUsable({ name: provider, options });
    const startedAt = performance.now();
    const result = await unlessStopping(providers.send(message), stopping);
    const durationMs = performance.now() - startedAt;
    onAttempt?.(message, result, durationMs);
    span?.end({
      name: `send ${provider}`,
      attributes: {
        "latchkey.provider": provider,
        "latchkey.channel": channel,
        "latchkey.outcome": result.outcome,
      },
      error: result.outcome === "sent" ? undefined : result.outcome,
    });
    const waitMs = await delivery.recordAttempt(attemptId, result, durationMs, request);
    const { outcome, reason } = result;
    const fields = {
      ...ids,
      attemptId,
      provider,
      channel,
      to: maskRecipient(recipient),
      outcome,
      reason,
    };
    if (outcome === "sent") log.info(fields, "message sent");
    else log.warn({ ...fields, nextAttemptMs: waitMs }, "message not sent");
    return waitMs;
  }

  return async (payload, { job, abortSignal }) => {
    const parsed = payloadSchema.parse(payload);
    for (;;) {
      const waitMs = await attempt(parsed, job.id, abortSignal);
      if (waitMs === undefined) return;
      // Rejects when the worker stops: the queue then gives the job to another one.
      await delay(waitMs, undefined, { signal: abortSignal });
    }
  };
}

/**
 * Resolves with the result, or as uncertain if the worker stops first: if it waited for a silent vendor, its job would
 * stay locked.
 * @param stopping a signal that exists as long as the worker: the listener is removed, because it would keep the message in memory
 */
async function unlessStopping(result: Promise<AttemptResult>, stopping: AbortSignal): Promise<AttemptResult> {
  const { promise: stopped, resolve } = Promise.withResolvers<AttemptResult>();
  const stop = () => resolve({ outcome: "uncertain", reason: "the worker is stopping" });
  stopping.addEventListener("abort", stop);
  if (stopping.aborted) stop();
  try {
    return await Promise.race([result, stopped]);
  } finally {
    stopping.removeEventListener("abort", stop);
  }
}
