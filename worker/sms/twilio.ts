import type { twiml } from "twilio";
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

type TwilioConfig = Pick<
  WorkerConfig,
  "TWILIO_ACCOUNT_SID" | "TWILIO_AUTH_TOKEN" | "TWILIO_API_KEY" | "TWILIO_API_SECRET" | "TWILIO_BASE_URL" | "PUBLIC_URL"
>;

/** twilio of OTP_PROVIDER; private.provider_options_fault checks its options. */
interface TwilioOptions {
  from?: string;
  messagingServiceSid?: string;
  channel?: "sms" | "whatsapp" | "voice";
  /** For a message: the id of its text. In the stored options: ids by purpose and locale. */
  contentSid?: unknown;
}

/**
 * Codes that blame the recipient: an invalid or unreachable number (21211, 21214, 21217, 21614), a short code (21265),
 * a premium-rate number (21268), a landline (21635), an unknown number (30005), and one that opted out of our messages
 * (21610). https://www.twilio.com/docs/api/errors, read on 2026-11-27. Not 63024, a phone without WhatsApp: an SMS may
 * reach it.
 */
const recipientCodes = new Set([21211, 21214, 21217, 21265, 21268, 21610, 21614, 21635, 30005]);

/**
 * Creates the provider that sends by Twilio's own library: as SMS or WhatsApp message (Programmable Messaging), or as a
 * call that reads the message aloud (Programmable Voice).
 */
export function createTwilioProvider(config: TwilioConfig, timeoutMs = vendorTimeoutMs): Provider {
  const { PUBLIC_URL } = config;
  let loading: ReturnType<typeof loadLibrary> | undefined;
  /** The receipt may come before the attempt is recorded with Twilio's id, so the URL names the attempt. */
  const callback = (attemptId: string) =>
    PUBLIC_URL && { statusCallback: `${receiptUrl(PUBLIC_URL, "twilio")}?attempt=${attemptId}` };
  return {
    unusableReason: ({ channel, contentSid } = {}) =>
      channel === "whatsapp" && contentSid === undefined
        ? "twilio.channel is whatsapp without twilio.contentSid: WhatsApp delivers only approved templates"
        : missingCredentials(config),
    async send({ attempt_id: attemptId, options, recipient, body, code }) {
      const { client, VoiceResponse, RestException } = await (loading ??= loadLibrary(config, timeoutMs));
      const { from = "", messagingServiceSid, channel = "sms" } = options as TwilioOptions;
      const prefix = channel === "whatsapp" ? "whatsapp:" : "";
      try {
        const created: Created =
          channel === "voice"
            ? await client.calls.create({
                to: recipient,
                from,
                twiml: readAloud(new VoiceResponse(), body),
                ...callback(attemptId),
              })
            : await client.messages.create({
                to: prefix + recipient,
                ...(channel === "whatsapp" ? content(options, code) : { body }),
                ...(messagingServiceSid ? { messagingServiceSid } : { from: prefix + from }),
                ...callback(attemptId),
              });
        return resultOfCreated(created);
      } catch (error) {
        if (error instanceof Throttled) return error.result;
        return error instanceof RestException
          ? resultOfFailedResponse({
              status: error.status,
              vendorCode: error.code,
              blamesRecipient: recipientCodes.has(Number(error.code)),
            })
          : resultOfConnectionError(error);
      }
    },
  };
}

/**
 * An API key can be revoked alone and limited to messages, so it counts where there is also the account's token, which
 * signs receipts.
 */
function missingCredentials(config: TwilioConfig): string | undefined {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_API_KEY, TWILIO_API_SECRET } = config;
  return TWILIO_API_KEY === undefined && TWILIO_API_SECRET === undefined
    ? missingVariables({ TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN })
    : missingVariables({ TWILIO_ACCOUNT_SID, TWILIO_API_KEY, TWILIO_API_SECRET });
}

interface Created {
  sid: string;
  status: string;
  /** Of a message only. */
  errorCode?: number;
}

/** Twilio can answer 201 with a message that has already failed. */
function resultOfCreated({ sid, status, errorCode }: Created): AttemptResult {
  const vendorMessageId = vendorWord(sid);
  if (!["failed", "canceled", "undelivered"].includes(status)) return { outcome: "sent", vendorMessageId };
  const code = vendorWord(errorCode);
  const reason = `Twilio status ${status}${code === undefined ? "" : `, code ${code}`}`;
  // A carrier had it, and perhaps the phone.
  if (status === "undelivered") return { outcome: "uncertain", reason, vendorMessageId };
  return { outcome: recipientCodes.has(Number(errorCode)) ? "refused" : "declined", reason, vendorMessageId };
}

/**
 * Twilio fills the code into a template that WhatsApp has approved: outside of the 24 hours after a person wrote to us
 * it delivers nothing else, and fails with 63016 after it has accepted the message.
 * https://www.twilio.com/docs/api/errors/63016
 */
const content = ({ contentSid }: TwilioOptions, code: string | null) => ({
  contentSid: String(contentSid),
  ...(code !== null && { contentVariables: JSON.stringify({ 1: code }) }),
});

/** TwiML that says the message twice, and each digit of a code by itself: "seven, three" instead of "seventy-three". */
function readAloud(response: twiml.VoiceResponse, body: string): string {
  const text = body.replaceAll(/\d{3,}/g, (digits) => Array.from(digits).join(", "));
  response.say(text);
  response.pause({ length: 1 });
  response.say(text);
  return response.toString();
}

/** Twilio's errors do not have the header Retry-After. */
class Throttled extends Error {
  readonly result: AttemptResult;
  constructor(retryAfter: string | undefined) {
    super("throttled");
    this.result = resultOfFailedResponse({
      status: 429,
      vendorCode: 20429,
      blamesRecipient: false,
      retryAfter,
    });
  }
}

/** Loads Twilio's library when it is used for the first time. */
async function loadLibrary(config: TwilioConfig, timeout: number) {
  const { default: twilio } = await import("twilio");
  const httpClient = new twilio.RequestClient({ timeout });
  const request = httpClient.request.bind(httpClient);
  httpClient.request = async (options) => {
    const response = await request(options);
    if (response.statusCode === 429)
      throw new Throttled((response.headers as Record<string, string> | undefined)?.["retry-after"]);
    return response;
  };
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN, TWILIO_API_KEY, TWILIO_API_SECRET } = config;
  const client =
    TWILIO_API_KEY === undefined
      ? twilio(accountSid, TWILIO_AUTH_TOKEN, { httpClient })
      : twilio(TWILIO_API_KEY, TWILIO_API_SECRET, { accountSid: accountSid ?? "", httpClient });
  client.api.baseUrl = config.TWILIO_BASE_URL.replace(/\/$/, "");
  return { client, VoiceResponse: twilio.twiml.VoiceResponse, RestException: twilio.RestException };
}
