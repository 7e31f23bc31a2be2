import express, { type Request, type RequestHandler } from "express";
import { z } from "zod";
import type { SessionAnswer } from "../api_functions.ts";
import type { Services } from "../app.ts";
import { bearerToken, parseBearer, sameSecret, sessionNotFound, verify } from "./guards.ts";
import { Problem } from "./errors.ts";
import { Unavailable } from "../unavailable.ts";

const parseJson = express.json({ limit: "256kb", type: () => true });
const bodySchema = z.object({ headers: z.record(z.string(), z.unknown()) });

/**
 * GET and POST /auth/webhook/authorize, as a Hasura engine calls it: a flat object of strings, or 401 whenever refused,
 * or 503 only when the database cannot be asked, which an engine reports as its own fault. No envelope, no other status.
 */
export function authorizeWebhook({ config, database, tokens }: Services): RequestHandler[] {
  const { AUTH_WEBHOOK_SECRET: secret } = config;

  const authorize: RequestHandler = async (request, response) => {
    if (secret !== undefined && !sameSecret(request.get("X-Webhook-Secret") ?? "", secret))
      throw sessionNotFound("token_missing");
    const token = request.method === "POST" ? tokenOfBody(request.body) : bearerToken(request);
    const claims = verify(tokens, token, "access");
    const session = await database.call<SessionAnswer>("authorize", { session_id: claims.sid });
    if (session.error_code !== null) throw sessionNotFound("session_missing");
    response.set("Cache-Control", "no-store").json({
      "X-Hasura-Role": session.role,
      ...(session.user_id !== null && { "X-Hasura-User-Id": session.user_id }),
      "X-Hasura-Session-Id": session.session_id,
      Expires: new Date(claims.exp * 1000).toUTCString(),
    });
  };

  const refuse: express.ErrorRequestHandler = (error: unknown, request: Request, response, _next) => {
    const refused = error instanceof Problem || isRequestFault(error);
    if (!refused && !(error instanceof Unavailable)) request.log.error({ err: error }, "the webhook failed");
    const problem = refused ? sessionNotFound("token_invalid") : new Problem("SERVICE_UNAVAILABLE");
    response
      .status(problem.status)
      .set("Cache-Control", "no-store")
      .set(problem.headers)
      .json({ message: problem.message });
  };

  return [parseJson, authorize, refuse as unknown as RequestHandler];
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
