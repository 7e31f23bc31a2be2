import express from "express";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { api } from "../database/api_functions.ts";
import type { Services } from "../services.ts";
import { bearerToken, parseBearer, sessionNotFound, verify } from "../http/bearer.ts";
import { sameSecret } from "../../runtime/same_secret.ts";
import { Problem } from "../http/problem.ts";
import { jsonMembers } from "./json_members.ts";
import { isFault, toProblem } from "../http/failures.ts";
import { boundBody } from "../http/bounded_body.ts";
import { failureFields } from "../http/envelope.ts";
import { addLogFields } from "../http/log_fields.ts";
import { sendJson } from "../http/send_json.ts";
import { userOfClaims } from "../tokens/claims.ts";

const maxBodyBytes = 262_144;
const readBody = promisify(boundBody(maxBodyBytes, express.raw({ limit: maxBodyBytes, type: () => true })));

/**
 * GET and POST /auth/webhook/authorize, as a Hasura engine calls them. Answers 200 with a flat object of strings, 401 for every
 * refusal, or 503 when the database does not answer; no other status, and no envelope.
 */
export function authorizeWebhook({ config, database, tokens }: Services): RequestListener {
  const { AUTH_WEBHOOK_SECRET: secret } = config;

  const authorize = async (request: IncomingMessage, response: ServerResponse): Promise<object> => {
    const received = String(request.headers["x-webhook-secret"] ?? "");
    if (secret !== undefined && !sameSecret(received, secret)) throw sessionNotFound("token_missing");
    const claims = verify(tokens, await tokenOf(request, response), "access");
    addLogFields(request, { sessionId: claims.sid, userId: userOfClaims(claims) });
    const { error, data: session } = await database.call(api.authorize, { session_id: claims.sid });
    if (error) throw sessionNotFound("session_missing");
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
      if (isFault(error)) request.log.error({ err: error }, "the webhook failed");
      // An engine expects 200, 401 or 503. It reports 503 as its own fault, so that clients keep a token that may be good.
      const failure = toProblem(error);
      const isRefusal = failure.status < 500;
      const problem = isRefusal ? sessionNotFound("token_invalid") : new Problem("SERVICE_UNAVAILABLE");
      addLogFields(request, { ...failureFields(failure), errorCode: problem.code });
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

/** Header names in any case. Two tokens are refused: whose request it is would be ambiguous. */
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
