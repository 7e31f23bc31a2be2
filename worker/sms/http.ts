import { Agent, request } from "undici";
import type { WorkerConfig } from "../../config/config.ts";
import type { Provider, Sent } from "./provider.ts";

/** As long as the longest that POST /otp/send waits by default: a later answer would help nobody. */
const usualDeadlineMs = 10_000;

/** No connection was made, so nothing can have been sent. */
const unreachable = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"],
  ...[
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
]);

type HttpConfig = Pick<WorkerConfig, "production" | "SMS_HTTP_TOKEN" | "SMS_HTTP_HOSTS">;

/** POSTs {to, body, id} to the stored http.url: the door to any gateway that has no file of its own. */
export function httpProvider(config: HttpConfig, deadlineMs = usualDeadlineMs): Provider {
  const dispatcher = new Agent({ connect: { timeout: 5_000 }, connections: 50 });
  const authorization = config.SMS_HTTP_TOKEN ? { authorization: `Bearer ${config.SMS_HTTP_TOKEN}` } : {};

  return async ({ otp_id: id, options, recipient: to, body }) => {
    const fault = httpFault(options, config);
    if (fault !== undefined) return { outcome: "refused", reason: fault };
    try {
      // Redirects are not followed: they would carry the message, and the token, to a host that nobody named.
      const response = await request(String(options.url), {
        method: "POST",
        headers: { "content-type": "application/json", ...authorization },
        body: JSON.stringify({ to, body, id }),
        signal: AbortSignal.timeout(deadlineMs),
        dispatcher,
      });
      // The status decides; a body that never ends changes nothing.
      void response.body.dump().catch(() => undefined);
      return byStatus(response.statusCode);
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException;
      // A DOMException, such as that of the deadline, has a number.
      const reason = typeof code === "string" ? code : name;
      return { outcome: unreachable.has(reason) ? "unreachable" : "uncertain", reason };
    }
  };
}

/** Why nothing may be sent to the stored http.url; undefined when it may. Does not repeat the address, which may hold a secret. */
export function httpFault(
  options: Record<string, unknown>,
  { production, SMS_HTTP_HOSTS }: HttpConfig,
): string | undefined {
  const url = URL.parse(String(options.url));
  if (!url) return "http.url is not an address";
  if (!production) return undefined;
  if (url.protocol !== "https:") return "http.url is not https, which production requires";
  return SMS_HTTP_HOSTS.includes(url.hostname) ? undefined : "the host of http.url is not in SMS_HTTP_HOSTS";
}

/** A 5xx or 408 may have been sent all the same; any other answer but 2xx is a definite no. */
function byStatus(status: number): Sent {
  const reason = `HTTP ${status}`;
  if (status >= 200 && status < 300) return { outcome: "sent" };
  return { outcome: status >= 500 || status === 408 ? "uncertain" : "refused", reason };
}
