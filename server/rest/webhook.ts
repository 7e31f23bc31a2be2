import express, { type Request } from "express";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { z } from "zod";
import type { SessionAnswer } from "../api_functions.ts";
import type { Services } from "../app.ts";
import { bearerToken, parseBearer, sameSecret, sessionNotFound, verify } from "./guards.ts";
import { Problem } from "./errors.ts";
import { sendJson } from "./send_json.ts";
import { Unavailable } from "../unavailable.ts";

/** What GraphQL asks who a request comes from, where AUTH_WEBHOOK_URL names no other. */
export const webhookPath = "/api/v1/auth/webhook/authorize";

const readBody = promisify(express.json({ limit: "256kb", type: () => true }));
const bodySchema = z.object({ headers: z.record(z.string(), z.unknown()) });

/**
 * GET and POST /auth/webhook/authorize, as a Hasura engine calls it: a flat object of strings, or 401 whenever refused,
 * or 503 only when the database cannot be asked, which an engine reports as its own fault. No envelope, no other status.
 */
export function authorizeWebhook({ config, database, tokens }: Services): RequestListener {
  const { AUTH_WEBHOOK_SECRET: secret } = config;

  const authorize = async (request: IncomingMessage, response: ServerResponse): Promise<object> => {
    const given = request.headers["x-webhook-secret"];
    if (secret !== undefined && !sameSecret(String(given ?? ""), secret))
      throw sessionNotFound("token_missing");
    const claims = verify(tokens, await tokenOf(request, response), "access");
    const session = await database.call<SessionAnswer>("authorize", { session_id: claims.sid });
    if (session.error_code !== null) throw sessionNotFound("session_missing");
    return {
      "X-Hasura-Role": session.role,
      ...(session.user_id !== null && { "X-Hasura-User-Id": session.user_id }),
      "X-Hasura-Session-Id": session.session_id,
      Expires: new Date(claims.exp * 1000).toUTCString(),
    };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader("Cache-Control", "no-store");
    try {
      sendJson(response, 200, await authorize(request, response));
    } catch (error) {
      const refused = error instanceof Problem || isRequestFault(error);
      if (!refused && !(error instanceof Unavailable))
        request.log.error({ err: error }, "the webhook failed");
      const problem = refused ? sessionNotFound("token_invalid") : new Problem("SERVICE_UNAVAILABLE");
      response.setHeaders(new Map(Object.entries(problem.headers)));
      sendJson(response, problem.status, { message: problem.message });
    }
  };

  return (request, response) => void answer(request, response);
}

async function tokenOf(request: IncomingMessage, response: ServerResponse): Promise<string> {
  if (request.method !== "POST") return bearerToken(request);
  await readBody(request, response);
  return tokenOfBody((request as Request).body);
}

/** Names in any case; two tokens are as good as none, since nobody can tell whose request this is. */
function tokenOfBody(body: unknown): string {
  const parsed = bodySchema.safeParse(body);
  const values = Object.entries(parsed.data?.headers ?? {}).filter(
    ([name]) => name.toLowerCase() === "authorization",
  );
  const token = values.length === 1 ? parseBearer(values[0]?.[1]) : undefined;
  if (token === undefined) throw sessionNotFound("token_invalid");
  return token;
}

/** What body-parser throws for a body it cannot read. */
const isRequestFault = (error: unknown): boolean => {
  const { status } = error as { status?: unknown };
  return typeof status === "number" && status >= 400 && status < 500;
};
