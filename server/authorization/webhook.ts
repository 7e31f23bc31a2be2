import type { Request, RequestHandler } from "express";
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { api } from "../database/api_functions.ts";
import type { Services } from "../services.ts";
import { bearerToken, parseBearer, sessionNotFound, verify } from "../http/bearer.ts";
import { sameSecret } from "../../runtime/same_secret.ts";
import { Problem } from "../../http/problem.ts";
import { jsonMembers } from "./json_members.ts";
import { isFault, toProblem } from "../../http/failures.ts";
import { readBytes } from "../../http/body_reader.ts";
import { failureFields } from "../../http/envelope.ts";
import { contextOf } from "../../http/request_context.ts";
import { sendJson } from "../../http/send_json.ts";
import { userOfClaims } from "../tokens/claims.ts";
import { hasuraVariables, hookClaimsOf } from "../tokens/hook_claims.ts";

const maxBodyBytes = 262_144;
const readBody = promisify(readBytes(maxBodyBytes));

/**
 * GET and POST /auth/webhook/authorize, as a Hasura engine calls them. Answers 200 with a flat object of strings, 401
 * for every refusal, or 503 when the database does not answer or something fails; no other status, and no envelope.
 */
export function authorizeWebhook({ config, database, tokens }: Services): RequestHandler {
  const { AUTH_WEBHOOK_SECRET: secret } = config;

  const authorize = async (request: Request, response: ServerResponse): Promise<object> => {
    const received = String(request.headers["x-webhook-secret"] ?? "");
    if (secret !== undefined && !sameSecret(received, secret)) throw sessionNotFound("token_missing");
    const claims = verify(tokens, await tokenOf(request, response), "access");
    contextOf(request).addLogFields({ sessionId: claims.sid, userId: userOfClaims(claims) });
    const { error, data: session } = await database.call(api.authorize, { session_id: claims.sid });
    if (error) throw sessionNotFound("session_missing");
    const hookClaims = hookClaimsOf(session);
    return {
      ...hasuraVariables(hookClaims, "X-Hasura-"),
      // With the types of the hook, for latchkey.claims().
      ...(session.claims !== null && { "X-Hasura-Claims": JSON.stringify(hookClaims) }),
      "X-Hasura-Role": session.role,
      ...(session.user_id !== null && { "X-Hasura-User-Id": session.user_id }),
      "X-Hasura-Session-Id": session.session_id,
      Expires: new Date(claims.exp * 1000).toUTCString(),
    };
  };

  const answer = async (request: Request, response: ServerResponse): Promise<void> => {
    const context = contextOf(request);
    response.setHeader("Cache-Control", "no-store");
    try {
      sendJson(response, 200, await authorize(request, response));
    } catch (error) {
      if (isFault(error)) context.log.error({ err: error }, "the webhook failed");
      // An engine expects 200, 401 or 503. It reports 503 as its own fault, so that clients keep a token that may be
      // valid.
      const failure = toProblem(error);
      const isRefusal = failure.status < 500;
      const problem = isRefusal ? sessionNotFound(reasonOf(failure)) : new Problem("SERVICE_UNAVAILABLE");
      context.addLogFields({ ...failureFields(failure), errorCode: problem.code });
      response.setHeaders(new Map(Object.entries(problem.headers)));
      sendJson(response, problem.status, { message: problem.message });
    }
  };

  return (request, response) => void answer(request, response);
}

/** The challenge depends on whether there was a token (RFC 6750 section 3.1). The answer contains nothing more. */
const reasonOf = ({ details }: Problem): string =>
  details?.reason === "token_missing" ? "token_missing" : "token_invalid";

async function tokenOf(request: Request, response: ServerResponse): Promise<string> {
  if (request.method !== "POST") return bearerToken(request);
  await readBody(request, response);
  const { body } = request as { body?: unknown };
  const token = Buffer.isBuffer(body) ? tokenOfBody(body.toString()) : undefined;
  if (!token) throw sessionNotFound(token === undefined ? "token_invalid" : "token_missing");
  return token;
}

/**
 * Header names in any case. Two tokens are refused: whose request it is would be ambiguous.
 * @returns "" if the headers have no token, undefined if they are malformed
 */
function tokenOfBody(text: string): string | undefined {
  try {
    const [headers = "", ...more] = jsonMembers(text, (name) => name === "headers");
    if (more.length > 0 || !headers.trim().startsWith("{")) return undefined;
    const values = jsonMembers(headers, (name) => name.toLowerCase() === "authorization");
    if (values.length === 0) return "";
    const [value = ""] = values.map((source) => source.trim());
    return values.length === 1 && value.startsWith('"') ? parseBearer(JSON.parse(value)) : undefined;
  } catch {
    // JSON.parse: a name or the value is malformed.
    return undefined;
  }
}
