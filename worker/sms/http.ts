import { Webhook } from "standardwebhooks";
import { Agent, request } from "undici";
import type { WorkerConfig } from "../../config/config.ts";
import { webhookHeaders } from "../webhook_headers.ts";
import type { Provider, ProviderOptions } from "./provider.ts";
import { resultOfConnectionError, resultOfFailedResponse, vendorTimeoutMs } from "./vendor_errors.ts";

type HttpConfig = Pick<WorkerConfig, "production" | "SMS_HTTP_TOKEN" | "SMS_HTTP_SIGNING_SECRET" | "SMS_HTTP_HOSTS">;

/** The statuses by which a gateway says that this phone cannot get the message (docs/delivery.md). */
const recipientStatuses = new Set([400, 410, 422]);

/**
 * Creates the provider that POSTs {to, body, id}, and entityId and templateId where the options have them, as JSON to
 * http.url of OTP_PROVIDER: for every vendor without a file of its own. Signed as Standard Webhooks if
 * SMS_HTTP_SIGNING_SECRET is set.
 * @param timeoutMs milliseconds until a request without a response counts as uncertain
 */
export function createHttpProvider(config: HttpConfig, timeoutMs = vendorTimeoutMs): Provider {
  const dispatcher = new Agent({ connect: { timeout: 5_000 }, connections: 50 });
  const authorization = config.SMS_HTTP_TOKEN ? { authorization: `Bearer ${config.SMS_HTTP_TOKEN}` } : {};
  const signers = config.SMS_HTTP_SIGNING_SECRET ? [new Webhook(config.SMS_HTTP_SIGNING_SECRET)] : [];

  return {
    unusableReason: (options) => httpProblem(options, config),
    async send({ otp_id: id, attempt_id: attemptId, options, recipient: to, body }) {
      // Ids of India's registry of senders and texts. JSON leaves out what is undefined.
      const { entityId, templateId } = options;
      const payload = JSON.stringify({ to, body, id, entityId, templateId });
      try {
        // undici follows no redirect: it would send the message and the token to a host that no operator has listed.
        const response = await request(String(options.url), {
          method: "POST",
          headers: {
            "content-type": "application/json",
            ...authorization,
            // Not the id of the OTP: another attempt carries another code, and a gateway that drops repeated ids would lose it.
            ...webhookHeaders(signers, `msg_${attemptId}`, payload),
          },
          body: payload,
          signal: AbortSignal.timeout(timeoutMs),
          dispatcher,
        });
        // The status decides, so nothing waits for the end of the body.
        void response.body.dump().catch(() => undefined);
        const { statusCode, headers } = response;
        return statusCode >= 200 && statusCode < 300
          ? { outcome: "sent" }
          : resultOfFailedResponse({
              status: statusCode,
              blamesRecipient: recipientStatuses.has(statusCode),
              retryAfter: String(headers["retry-after"] ?? ""),
            });
      } catch (error) {
        return resultOfConnectionError(error);
      }
    },
  };
}

/**
 * Returns why nothing may be sent to http.url; undefined if it may be used. The text does not contain the URL, which
 * may include a secret.
 */
function httpProblem(
  options: ProviderOptions | undefined,
  { production, SMS_HTTP_HOSTS }: Pick<HttpConfig, "production" | "SMS_HTTP_HOSTS">,
): string | undefined {
  if (!options) return production && SMS_HTTP_HOSTS.length === 0 ? "SMS_HTTP_HOSTS names no host" : undefined;
  const url = URL.parse(String(options.url));
  if (!url) return "http.url is not a URL";
  if (!production) return undefined;
  if (url.protocol !== "https:") return "http.url is not https, which production requires";
  return SMS_HTTP_HOSTS.includes(url.hostname) ? undefined : "the host of http.url is not in SMS_HTTP_HOSTS";
}
