import express from "express";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { promisify } from "node:util";
import type { SessionAnswer } from "../database/api_functions.ts";
import type { Services } from "../services.ts";
import { bearerToken, parseBearer, sessionNotFound, verify } from "../http/bearer.ts";
import { sameSecret } from "../../runtime/same_secret.ts";
import { Problem } from "../http/problem.ts";
import { jsonMembers } from "./json_members.ts";
import { addLogFields } from "../http/log_fields.ts";
import { sendJson } from "../http/send_json.ts";
import { Unavailable } from "../../runtime/database_errors.ts";

const readBody = promisify(express.raw({ limit: "256kb", type: () => true }));

/**
 * GET and POST /auth/webhook/authorize, as a Hasura engine calls it: a flat object of strings, or 401 whenever refused,
 * or 503 only when the database cannot be asked, which an engine reports as its own fault. No envelope, no other status.
 */
export function authorizeWebhook({ config, database, tokens }: Services): RequestListener {
  const { AUTH_WEBHOOK_SECRET: secret } = config;

  const authorize = async (request: IncomingMessage, response: ServerResponse): Promise<object> => {
    const given = request.headers["x-webhook-secret"];
    if (secret !== undefined && !sameSecret(String(given ?? ""), secret)) {
      // Reusing the connection would mean receiving the body to its end.
      response.setHeader("Connection", "close");
      throw sessionNotFound("token_missing");
    }
    const claims = verify(tokens, await tokenOf(request, response), "access");
    addLogFields(request, { sessionId: claims.sid });
    const session = await database.call<SessionAnswer>("authorize", { session_id: claims.sid });
    if (session.error) throw sessionNotFound("session_missing");
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
      addLogFields(request, { errorCode: problem.code });
      response.setHeaders(new Map(Object.entries(problem.headers)));
      sendJson(response, problem.status, { message: problem.message });
    }
  };

  return (request, response) => void answer(request, response);
}

async function tokenOf(request: IncomingMessage, response: ServerResponse): Promise<string> {
  if (request.method !== "POST") return bearerToken(request);
  await readBody(request, response);
  const { body } = request as { body?: unknown };
  const token = Buffer.isBuffer(body) ? tokenOfBody(body.toString()) : undefined;
  if (token === undefined) throw sessionNotFound("token_invalid");
  return token;
}

/** Names in any case. Two tokens are as good as none: nobody can tell whose request this is. */
function tokenOfBody(text: string): string | undefined {
  try {
    const headers = onlyMember(text, (name) => name === "headers");
    const value = onlyMember(headers, (name) => name.toLowerCase() === "authorization").trim();
    return value.startsWith('"') ? parseBearer(JSON.parse(value)) : undefined;
  } catch {
    // JSON.parse: a name or the value is malformed.
    return undefined;
  }
}

function onlyMember(text: string, isWanted: (name: string) => boolean): string {
  const members = jsonMembers(text, isWanted);
  return members.length === 1 ? (members[0] ?? "") : "";
}

/** What body-parser throws for a body it cannot read. */
const isRequestFault = (error: unknown): boolean => {
  const { status } = error as { status?: unknown };
  return typeof status === "number" && status >= 400 && status < 500;
};
