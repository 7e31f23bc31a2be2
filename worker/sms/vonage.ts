import type { WorkerConfig } from "../../config/config.ts";
import { receiptUrl } from "../../config/public_url.ts";
import type { AttemptResult } from "../message.ts";
import type { Provider } from "./provider.ts";
import {
  missingVariables,
  resultOfConnectionError,
  resultOfFailedResponse,
  vendorTimeoutMs,
  vendorWord,
} from "./vendor_errors.ts";

type VonageConfig = Pick<WorkerConfig, "VONAGE_API_KEY" | "VONAGE_API_SECRET" | "VONAGE_BASE_URL" | "PUBLIC_URL">;

/** vonage of OTP_PROVIDER; private.provider_options_fault checks its options. */
interface VonageOptions {
  from?: string;
  /** Ids of India's registry of senders and texts. */
  entityId?: string;
  contentId?: string;
}

/** Vonage's status "internal error": it may have accepted the message. */
const internalError = "5";
/**
 * Number with an unknown prefix, barred or de-activated: https://developer.vonage.com/en/api-errors/sms, read on
 * 2026-11-27.
 */
const recipientStatuses = new Set(["6", "7", "33"]);

/** Creates the provider that sends by Vonage's SMS API, by its own library. */
export function createVonageProvider(config: VonageConfig, timeoutMs = vendorTimeoutMs): Provider {
  const { VONAGE_API_KEY, VONAGE_API_SECRET, PUBLIC_URL } = config;
  let loading: ReturnType<typeof loadLibrary> | undefined;
  /** The receipt repeats the reference. It may come before the attempt is recorded with Vonage's id. */
  const callback = (attemptId: string) =>
    PUBLIC_URL && { callback: receiptUrl(PUBLIC_URL, "vonage"), clientRef: attemptId };
  return {
    unusableReason: () => missingVariables({ VONAGE_API_KEY, VONAGE_API_SECRET }),
    async send({ attempt_id: attemptId, options, recipient, body, encoding }) {
      const { from = "", entityId, contentId } = options as VonageOptions;
      const { client, TypeEnum } = await (loading ??= loadLibrary(config, timeoutMs));
      // https://developer.vonage.com/en/messaging/sms/guides/concatenation-and-encoding: text carries the whole
      // alphabet of GSM 03.38.
      const type = encoding === "GSM-7" ? TypeEnum.TEXT : TypeEnum.UNICODE;
      try {
        // Vonage takes E.164 without the plus sign.
        const message = { from, to: recipient.slice(1), text: body, type };
        const registered = { ...(entityId && { entityId }), ...(contentId && { contentId }) };
        const { messages } = await client.send({ ...message, ...registered, ...callback(attemptId) });
        return { outcome: "sent", ...describeMessages(messages) };
      } catch (error) {
        return resultOfError(error);
      }
    },
  };
}

/** A long message has several parts, each with its price in euros: https://developer.vonage.com/en/api/sms */
function describeMessages(messages: { messageId?: string; messagePrice?: string }[]): Partial<AttemptResult> {
  const price = messages.reduce((sum, part) => sum + Number(part.messagePrice), 0);
  return {
    vendorMessageId: vendorWord(messages[0]?.messageId),
    ...(Number.isFinite(price) && { price: String(price), currency: "EUR" }),
  };
}

/**
 * @param error of the library: it has Vonage's answer with the status of each part, or the HTTP response, or neither
 */
function resultOfError(error: unknown): AttemptResult {
  const { response } = error as {
    response?: { messages?: { status?: string }[]; status?: number; headers?: Headers };
  };
  if (typeof response?.status === "number")
    return resultOfFailedResponse({
      status: response.status,
      blamesRecipient: false,
      retryAfter: response.headers?.get("retry-after"),
    });
  const statuses = response?.messages?.map(({ status }) => String(status));
  if (!statuses) return resultOfConnectionError(error);
  // A long message has several parts: if one of them was accepted, the phone may show it.
  const isUncertain = statuses.includes("0") || statuses.includes(internalError);
  const vendorCode = statuses.find((status) => status !== "0");
  const blamesRecipient = vendorCode !== undefined && recipientStatuses.has(vendorCode);
  return {
    outcome: isUncertain ? "uncertain" : blamesRecipient ? "refused" : "declined",
    reason: `Vonage status ${vendorWord(vendorCode) ?? "unknown"}`,
  };
}

/** Loads Vonage's library when it is used for the first time. */
async function loadLibrary(config: VonageConfig, timeout: number) {
  const { SMS, TypeEnum } = await import("@vonage/sms");
  const client = new SMS(
    { apiKey: config.VONAGE_API_KEY ?? "", apiSecret: config.VONAGE_API_SECRET ?? "" },
    { restHost: config.VONAGE_BASE_URL.replace(/\/$/, ""), timeout },
  );
  return { client, TypeEnum };
}
