import { isIP } from "node:net";
import { Webhook } from "standardwebhooks";
import { Agent, request } from "undici";
import type { WorkerConfig } from "../../config/config.ts";
import { isPublicAddress } from "../../runtime/networks.ts";
import { resultOfConnectionError, vendorTimeoutMs } from "../sms/vendor_errors.ts";
import { webhookHeaders } from "../webhook_headers.ts";
import { createPublicLookup, PrivateAddressError, type Resolve } from "./public_lookup.ts";

/** SQL type delivery.event_message. */
export interface EventMessage {
  event_id: string;
  /** Null, like the payload: the event is no longer kept. */
  type: string | null;
  url: string;
  secret_name: string;
  payload: string | null;
}

export interface EventSender {
  /**
   * POSTs an event.
   * @param stopping ends the attempt, which then counts for nothing
   * @returns why it was not taken: words of ours, a status or the code of an error, nothing that the target wrote;
   *   undefined: it was
   */
  send: (message: EventMessage, stopping: AbortSignal) => Promise<string | undefined>;
}

type SenderConfig = Pick<WorkerConfig, "production" | "EVENT_HTTP_HOSTS" | "EVENT_SECRETS">;

/** What is read of an answer, so that its connection can be used again. */
const answerBytes = 4_096;
const answerMs = 1_000;

/**
 * Creates the sender of events. In production it reaches https on a host of EVENT_HTTP_HOSTS and public addresses alone;
 * elsewhere any host with public addresses, and what EVENT_HTTP_HOSTS lists.
 * @param timeoutMs milliseconds that an attempt has, with all that it waits for
 */
export function createEventSender(
  config: SenderConfig,
  { resolve, timeoutMs = vendorTimeoutMs }: { resolve?: Resolve; timeoutMs?: number } = {},
): EventSender {
  const options = { connections: 128, maxHeaderSize: 8_192 };
  const toPublic = new Agent({ ...options, connect: { timeout: 5_000, lookup: createPublicLookup(resolve) } });
  const toAny = new Agent({ ...options, connect: { timeout: 5_000 } });
  const signers = new Map(
    Array.from(
      Map.groupBy(config.EVENT_SECRETS, ({ name }) => name),
      ([name, secrets]) => [name, secrets.map(({ secret }) => new Webhook(secret))] as const,
    ),
  );

  /** Returns the connections that may reach the URL. @throws PrivateAddressError */
  function dispatcherFor(url: URL): Agent {
    if (!config.production && config.EVENT_HTTP_HOSTS.includes(url.hostname)) return toAny;
    // Nothing looks up a host that is an address.
    const address = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(address) !== 0 && !isPublicAddress(address)) throw new PrivateAddressError("the address is not public");
    return toPublic;
  }

  async function post(url: URL, signature: Record<string, string>, payload: string, signal: AbortSignal) {
    // undici follows no redirect and knows no proxy.
    const { statusCode, body } = await request(url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "Latchkey", ...signature },
      body: payload,
      signal,
      dispatcher: dispatcherFor(url),
    });
    // The status decides. What comes after it is dropped, and a longer or slower answer with its connection.
    await body.dump({ limit: answerBytes, signal: AbortSignal.timeout(answerMs) }).catch(() => undefined);
    return statusCode >= 200 && statusCode < 300 ? undefined : `HTTP ${statusCode}`;
  }

  return {
    async send({ event_id: id, url: address, secret_name: secretName, payload }, stopping) {
      if (payload === null) return "the event is no longer kept";
      const url = URL.parse(address);
      if (!url) return "url is not a URL";
      if (config.production && url.protocol !== "https:") return "url is not https, which production requires";
      if (config.production && !config.EVENT_HTTP_HOSTS.includes(url.hostname))
        return "the host of url is not in EVENT_HTTP_HOSTS";
      const secrets = signers.get(secretName);
      if (!secrets) return "secret_name is not in EVENT_SECRETS";
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]);
      try {
        return await unlessAborted(post(url, webhookHeaders(secrets, id, payload), payload, signal), signal);
      } catch (error) {
        return resultOfConnectionError(error).reason;
      }
    },
  };
}

/** undici ends a request only once it has a connection: until then it would wait for the name and for the target. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([promise, aborted]);
}
