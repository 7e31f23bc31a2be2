import { Agent, request } from "undici";
import type { WorkerConfig } from "../../config/config.ts";
import type { Provider, SendResult } from "./provider.ts";

/** The longest that POST /otp/send waits by default: a later response would be useless. */
const defaultTimeoutMs = 10_000;

/** Errors of a connection that failed before the request was written: the SMS was certainly not sent. */
const unreachableCodes = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"],
  ...[
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
]);

type HttpConfig = Pick<WorkerConfig, "production" | "SMS_HTTP_TOKEN" | "SMS_HTTP_HOSTS">;

/**
 * Creates the provider that POSTs {to, body, id} as JSON to http.url of OTP_PROVIDER: for every vendor without a file of its
 * own.
 * @param timeoutMs milliseconds until a request without a response counts as uncertain
 */
export function createHttpProvider(config: HttpConfig, timeoutMs = defaultTimeoutMs): Provider {
  const dispatcher = new Agent({ connect: { timeout: 5_000 }, connections: 50 });
  const authorization = config.SMS_HTTP_TOKEN ? { authorization: `Bearer ${config.SMS_HTTP_TOKEN}` } : {};

  return async ({ otp_id: id, options, recipient: to, body }) => {
    const problem = httpProblem(options, config);
    if (problem !== undefined) return { outcome: "refused", reason: problem };
    try {
      // undici follows no redirect: it would send the message and the token to a host that no operator has listed.
      const response = await request(String(options.url), {
        method: "POST",
        headers: { "content-type": "application/json", ...authorization },
        body: JSON.stringify({ to, body, id }),
        signal: AbortSignal.timeout(timeoutMs),
        dispatcher,
      });
      // The status decides, so nothing waits for the end of the body.
      void response.body.dump().catch(() => undefined);
      return resultOf(response.statusCode);
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException;
      // The code of a DOMException, such as a time-out, is a number.
      const reason = typeof code === "string" ? code : name;
      return { outcome: unreachableCodes.has(reason) ? "unreachable" : "uncertain", reason };
    }
  };
}

/**
 * Returns why nothing may be sent to http.url; undefined if it may be used. The text does not contain the URL, which may
 * include a secret.
 */
export function httpProblem(
  options: Record<string, unknown>,
  { production, SMS_HTTP_HOSTS }: HttpConfig,
): string | undefined {
  const url = URL.parse(String(options.url));
  if (!url) return "http.url is not a URL";
  if (!production) return undefined;
  if (url.protocol !== "https:") return "http.url is not https, which production requires";
  return SMS_HTTP_HOSTS.includes(url.hostname) ? undefined : "the host of http.url is not in SMS_HTTP_HOSTS";
}

/** A vendor may have sent the SMS and then answered 5xx or 408. Any other status except 2xx is a definite refusal. */
function resultOf(status: number): SendResult {
  if (status >= 200 && status < 300) return { outcome: "sent" };
  return { outcome: status >= 500 || status === 408 ? "uncertain" : "refused", reason: `HTTP ${status}` };
}
