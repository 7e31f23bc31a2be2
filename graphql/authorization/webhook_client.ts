import type { IncomingHttpHeaders } from "node:http";
import { Agent } from "undici";
import { z } from "zod";
import { createTurns } from "../turns.ts";
import { forwardedHeaders } from "./forwarded_headers.ts";

/** Whom the webhook names. It cannot name the admin. */
export interface Identity {
  role: "guest" | "user";
  sessionId: string;
  /** Of users only. */
  userId: string | undefined;
  /** JSON of what hook.claims returned, if there is such a hook. */
  claims: string | undefined;
}

export interface WebhookClient {
  /**
   * @param headers of the caller, names in lower case
   * @param address the client's address as limits count it: clients take turns
   * @returns undefined if the webhook refuses, or a header cannot be sent
   * @throws Error if there is no usable answer; its message holds nothing of the answer, which may hold a secret
   */
  ask: (headers: IncomingHttpHeaders, address: string) => Promise<{ identity: Identity; expires: Date } | undefined>;
  stop: () => Promise<void>;
}

/** Concurrent calls: more would wait for the event loops, which are not fair, instead of for their turn. */
const connections = 16;
/** How many calls may wait: a client that sends, and does not wait for the answer, would fill the memory. */
const maxWaiting = 1_000;

/**
 * How long an answer without Expires is valid: a socket that it authorized is closed then, and the client authorizes a
 * new one.
 */
const defaultLifetimeMs = 300_000;

function isJsonObject(text: string): boolean {
  const value = parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const answerSchema = z
  .object({
    "x-hasura-role": z.enum(["guest", "user"]),
    "x-hasura-user-id": z.guid().optional(),
    "x-hasura-session-id": z.guid(),
    "x-hasura-claims": z.string().refine(isJsonObject, "is not an object").optional(),
    expires: z.coerce.date().optional(),
  })
  .refine(
    (answer) => (answer["x-hasura-role"] === "user") === (answer["x-hasura-user-id"] !== undefined),
    "a user must have an id, and a guest none",
  );

export function createWebhookClient(url: string, secret: string | undefined, timeoutMs = 3_000): WebhookClient {
  const { origin, pathname, search } = new URL(url);
  const agent = new Agent({
    connections,
    keepAliveTimeout: 20_000,
    maxResponseSize: 65_536,
    // A request's signal has no effect before the request has a connection.
    connect: { timeout: timeoutMs },
  });
  const turns = createTurns(connections, connections, maxWaiting);
  return {
    async ask(headers, address) {
      const forwarded = forwardedHeaders(headers);
      if (!forwarded) return undefined;
      if (secret !== undefined) forwarded["x-webhook-secret"] = secret;
      const request = { origin, path: pathname + search, method: "GET", headers: forwarded } as const;
      const { status, text } = await turns.run(address, async () => {
        const { statusCode, body } = await agent.request({ ...request, signal: AbortSignal.timeout(timeoutMs) });
        return { status: statusCode, text: await body.text() };
      });
      if (status === 401) return undefined;
      if (status !== 200) throw new Error(`the webhook answered ${status}`);
      return parseAnswer(text);
    },
    stop: () => agent.destroy(),
  };
}

function parseAnswer(text: string): { identity: Identity; expires: Date } {
  const members = Object.entries(parseJson(text) ?? {}).map(([name, value]) => [name.toLowerCase(), value as unknown]);
  const parsed = answerSchema.safeParse(Object.fromEntries(members));
  if (!parsed.success) throw new Error(`the webhook's answer is malformed: ${z.prettifyError(parsed.error)}`);
  const { "x-hasura-role": role, "x-hasura-session-id": sessionId, "x-hasura-user-id": userId } = parsed.data;
  const { "x-hasura-claims": claims } = parsed.data;
  const { expires = new Date(Date.now() + defaultLifetimeMs) } = parsed.data;
  return { identity: { role, sessionId, userId, claims }, expires };
}

/** The error of JSON.parse would quote the text. */
function parseJson(text: string): object | null {
  try {
    return JSON.parse(text) as object | null;
  } catch {
    throw new Error("the webhook's answer is not JSON");
  }
}
