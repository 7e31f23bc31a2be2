import type { IncomingHttpHeaders } from "node:http";
import { LRUCache } from "lru-cache";
import { Agent } from "undici";
import { z } from "zod";
import type { Log } from "../../runtime/log.ts";
import { sameSecret } from "../../runtime/same_secret.ts";
import { createFairQueue } from "../queues/fair_queue.ts";
import { askWebhook } from "./webhook_client.ts";
import { forwardedHeaders } from "./forwarded_headers.ts";
import type { Caller } from "./caller.ts";

/** The answer is 401. */
export class Unauthorized extends Error {
  override name = "Unauthorized";
}

/** The answer is 503: nothing is known of the caller, so no client should throw its token away. */
export class AuthorizationUnavailable extends Error {
  override name = "AuthorizationUnavailable";
}

export interface Authorizer {
  /**
   * @param headers by names in lower case, as node:http gives them
   * @param address the client's as limits count it: clients take turns to ask the webhook
   */
  authorize: (headers: IncomingHttpHeaders, address: string) => Promise<Caller>;
  stop: () => Promise<void>;
}

interface Options {
  /** A function, because this server's own address is known only once it listens. */
  webhookUrl: () => string;
  webhookSecret: string | undefined;
  adminSecret: string;
  log: Log;
  deadlineMs?: number;
}

/** Requests to the webhook at once. */
const connections = 32;

const adminHeaders = ["x-admin-secret", "x-hasura-admin-secret"];

/** What the webhook may call a role, and what it is in the database. There is no admin among them. */
const roles = new Map([
  ["guest", "latchkey_guest"],
  ["user", "latchkey_user"],
]);

const answerSchema = z
  .object({
    "x-hasura-role": z.string().refine((role) => roles.has(role), "an unknown role"),
    "x-hasura-user-id": z.guid().optional(),
    "x-hasura-session-id": z.guid(),
    expires: z.coerce.date().optional(),
  })
  .refine(
    (answer) => (answer["x-hasura-role"] === "user") === (answer["x-hasura-user-id"] !== undefined),
    "a user has an id, and a guest none",
  );

/** Asks the webhook, by a GET with the caller's headers, who a request comes from; the admin alone is known by a secret. */
export function makeAuthorizer(options: Options): Authorizer {
  const { webhookUrl, webhookSecret, adminSecret, log, deadlineMs = 3_000 } = options;
  const agent = new Agent({ connections, keepAliveTimeout: 20_000, maxResponseSize: 65_536 });

  const callers = new LRUCache<string, Caller>({
    max: 1_000,
    maxEntrySize: 1_024,
    sizeCalculation: (_, text) => text.length,
  });

  const turns = createFairQueue(connections);

  const ask = async (given: IncomingHttpHeaders, address: string): Promise<string> => {
    const headers = forwardedHeaders(given);
    if (!headers) throw new Unauthorized("malformed headers");
    const asked = { ...headers, ...(webhookSecret !== undefined && { "x-webhook-secret": webhookSecret }) };
    const url = new URL(webhookUrl());
    const { status, body } = await turns.run(address, () => askWebhook(agent, url, asked, deadlineMs));
    if (status === 200) return body;
    if (status === 401) throw new Unauthorized("the webhook refused");
    throw new Error(`the webhook answered ${status}`);
  };

  return {
    async authorize(headers, address) {
      const secrets = adminHeaders.filter((name) => headers[name] !== undefined);
      if (secrets.length > 0) {
        const right = secrets.map((name) => sameSecret(String(headers[name]), adminSecret));
        if (right.includes(false)) throw new Unauthorized("a wrong admin secret");
        return { audience: "admin", settings: { role: "latchkey_admin" }, expires: undefined };
      }
      try {
        const answer = await ask(headers, address);
        // The same words mean the same caller: they are asked for each time, and understood once.
        const caller = callers.get(answer) ?? callerOf(JSON.parse(answer));
        callers.set(answer, caller);
        return caller;
      } catch (error) {
        if (error instanceof Unauthorized) throw error;
        // Neither the answer nor the address: both may hold a secret.
        log.error({ err: (error as Error).message }, "the authorization webhook failed");
        throw new AuthorizationUnavailable("the webhook failed", { cause: error });
      }
    },
    stop: () => agent.destroy(),
  };
}

function callerOf(answer: unknown): Caller {
  const named = Object.entries(answer ?? {}).map(([name, value]) => [name.toLowerCase(), value as unknown]);
  const parsed = answerSchema.safeParse(Object.fromEntries(named));
  if (!parsed.success) throw new Error(`the webhook's answer is not one: ${z.prettifyError(parsed.error)}`);
  const given = parsed.data;
  return {
    audience: "user",
    settings: {
      role: String(roles.get(given["x-hasura-role"])),
      "latchkey.session_id": given["x-hasura-session-id"],
      "latchkey.user_id": given["x-hasura-user-id"] ?? "",
    },
    expires: given.expires,
  };
}
