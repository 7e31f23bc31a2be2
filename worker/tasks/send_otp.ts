import type { Task } from "graphile-worker";
import { z } from "zod";
import { maskPhone, type Log } from "../../runtime/log.ts";
import type { Delivery } from "../delivery.ts";
import type { ProviderCheck } from "../provider_check.ts";
import type { Providers } from "../sms/providers.ts";
import type { SendResult } from "../sms/provider.ts";

const payloadSchema = z.object({ otp_id: z.uuid() });

/**
 * Creates the task send_otp: SQL creates the code, the vendor sends the message, SQL records the outcome. No transaction is
 * open while the vendor works. The queue delivers at least once: a second run of the same job creates a new code, or finds
 * nothing left to send.
 */
export function sendOtp(dependencies: {
  delivery: Delivery;
  providers: Providers;
  providerCheck: ProviderCheck;
  codeKey: Buffer;
  log: Log;
}): Task {
  const { delivery, providers, providerCheck, codeKey, log } = dependencies;
  return async (payload, { job, abortSignal }) => {
    const { otp_id: otpId } = payloadSchema.parse(payload);
    const message = await delivery.issueOtpCode(otpId, codeKey);
    if (message === undefined) {
      log.info({ jobId: job.id, otpId }, "nothing to send");
      // SQL drops every message while OTP_PROVIDER is not set: canSend() warns about that.
      await providerCheck.canSend();
      return;
    }
    providerCheck.isUsable({ name: message.provider, options: message.options });
    const { outcome, reason } = await Promise.race([providers.send(message), uncertainOnAbort(abortSignal)]);
    const mustRetry = await delivery.recordDelivery(otpId, outcome);
    const fields = {
      jobId: job.id,
      otpId,
      provider: message.provider,
      to: maskPhone(message.recipient),
      outcome,
      reason,
    };
    if (outcome === "sent") log.info(fields, "SMS sent");
    else log.warn(fields, "SMS not sent");
    // graphile-worker retries a job that throws, with increasing delays.
    if (mustRetry) throw new Error(`the SMS must be sent again: ${outcome}`);
  };
}

/** Resolves when the worker stops: if it waited for a silent vendor, its job would stay locked. */
function uncertainOnAbort(signal: AbortSignal): Promise<SendResult> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () =>
      resolve({ outcome: "uncertain", reason: "the worker is stopping" }),
    );
  });
}
