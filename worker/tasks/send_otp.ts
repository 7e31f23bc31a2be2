import type { Task } from "graphile-worker";
import { z } from "zod";
import { maskPhone, type Log } from "../../runtime/log.ts";
import type { Delivery } from "../delivery.ts";
import type { ProviderCheck } from "../provider_check.ts";
import type { Providers } from "../sms/providers.ts";
import type { Sent } from "../sms/provider.ts";

const payloadSchema = z.object({ otp_id: z.uuid() });

/**
 * Job send_otp: has the code made, hands the message to the vendor, records what came of it. No transaction is open
 * while the vendor is asked. May run twice for one job (at least once is what a queue can promise): the second run makes
 * a new code, or finds that nothing is left to send.
 */
export function sendOtp(given: {
  delivery: Delivery;
  providers: Providers;
  providerCheck: ProviderCheck;
  codeKey: Buffer;
  log: Log;
}): Task {
  const { delivery, providers, providerCheck, codeKey, log } = given;
  return async (payload, { job, abortSignal }) => {
    const { otp_id: otpId } = payloadSchema.parse(payload);
    const message = await delivery.issueOtpCode(otpId, codeKey);
    if (message === undefined) {
      log.info({ jobId: job.id, otpId }, "nothing to send");
      // SQL drops every send while no provider is set.
      await providerCheck.canSend();
      return;
    }
    providerCheck.isUsable({ name: message.provider, options: message.options });
    const { outcome, reason } = await Promise.race([providers.send(message), abandoned(abortSignal)]);
    const again = await delivery.recordDelivery(otpId, outcome);
    const line = {
      jobId: job.id,
      otpId,
      provider: message.provider,
      to: maskPhone(message.recipient),
      outcome,
      reason,
    };
    if (outcome === "sent") log.info(line, "SMS sent");
    else log.warn(line, "SMS not sent");
    // Thrown, because that is how a job asks to be run again, later each time.
    if (again) throw new Error(`the SMS is to be tried again: ${outcome}`);
  };
}

/** A worker that stops cannot wait for a silent vendor: its job would stay locked. */
function abandoned(signal: AbortSignal): Promise<Sent> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve({ outcome: "uncertain", reason: "the worker stops" }));
  });
}
