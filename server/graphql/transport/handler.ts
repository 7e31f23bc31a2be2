import express, { type Request, type RequestHandler, type Response } from "express";
import { GraphQLError, type ExecutionResult } from "postgraphile/graphql";
import { AuthorizationUnavailable, Unauthorized, type Authorizer } from "../../authorization/authorize.ts";
import type { Caller } from "../../authorization/caller.ts";
import { isPassing, maskError, refusalOf, type ErrorCode } from "../engine/refusal.ts";
import { executeRequest } from "../engine/execute.ts";
import { Rejected } from "../engine/prepare_request.ts";
import type { Engine } from "../engine/engine.ts";
import type { GraphqlRequest } from "../engine/graphql_request.ts";
import type { Audience } from "../../authorization/caller.ts";
import { clientAddress } from "../../http/client_address.ts";
import { addLogFields } from "../../http/log_fields.ts";
import { sendJson, sendText } from "../../http/send_json.ts";

const json = "application/json";
const graphqlJson = "application/graphql-response+json";

/** Characters of an operation's name, which the client chooses, in the log. */
const longestOperationName = 64;

interface Given {
  authorizer: Authorizer;
  engine: (audience: Audience) => Engine;
}

/** POST /v1/graphql, after GraphQL over HTTP: who asks, then what is asked, then the answer. */
export function graphqlHandlers({ authorizer, engine }: Given): RequestHandler[] {
  const authorize: RequestHandler = async (request, response, next) => {
    // Two tokens are as good as none, and node:http would keep the first.
    if (request.headersDistinct.authorization && request.headersDistinct.authorization.length > 1)
      throw new Unauthorized("two tokens");
    const address = clientAddress(request);
    const caller = await authorizer.authorize(request.headers, address);
    addLogFields(request, {
      userId: caller.settings["latchkey.user_id"] || null,
      sessionId: caller.settings["latchkey.session_id"],
    });
    response.locals.caller = { ...caller, address } satisfies Caller;
    next();
  };

  const answer: RequestHandler = async (request, response) => {
    const mediaType = request.accepts([json, graphqlJson]);
    if (mediaType === false) throw new HttpFault(406, `Accept must allow ${json} or ${graphqlJson}.`);
    const caller = response.locals.caller as Caller;
    const asked: GraphqlRequest = {
      ...parseRequest(request.body),
      onOperation: ({ name, operation }) =>
        addLogFields(request, {
          operation: name?.value.slice(0, longestOperationName),
          operationType: operation,
        }),
    };
    try {
      const result = await executeRequest(engine(caller.audience), caller, asked);
      // A database that is away, or busy: 503 tells the client that the same request may succeed in a moment.
      const passing = result.errors?.find(isPassing);
      if (passing) throw passing;
      if (result.errors) {
        const errors = result.errors.map((error) => maskError(error, request.log));
        send(request, response, mediaType, 200, { errors, data: null });
      } else {
        response.setHeader("Cache-Control", "no-store");
        sendText(response, 200, `{"data":${result.text}}`, mediaType);
      }
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      const errors = error.errors.map((fault) => maskError(fault, request.log));
      // Clients that ask for plain JSON know no other status for a document that is wrong.
      send(request, response, mediaType, mediaType === json ? 200 : 400, { errors });
    }
  };

  const fail: express.ErrorRequestHandler = (error: unknown, request: Request, response, _next) => {
    const { status, code, message, headers } = faultOf(error, request);
    const errors = [new GraphQLError(message, { extensions: { path: "$", code } })];
    response.set(headers ?? {});
    send(request, response, json, status, { errors });
  };

  return [authorize, requireJson, readJson, answer, fail as unknown as RequestHandler];
}

/** A request that is no GraphQL request. */
class HttpFault extends Error {
  override name = "HttpFault";
  readonly status: number;
  readonly code: ErrorCode;
  constructor(status: number, message: string, code: ErrorCode = "validation-failed") {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Nothing that a browser would send to another site without asking it first. */
const requireJson: RequestHandler = (request, _response, next) => {
  if (!request.is([json, "application/*+json"])) throw new HttpFault(415, "The request body must be JSON.");
  next();
};

const readJson = express.json({ limit: 65_536, strict: false, type: () => true });

function parseRequest(body: unknown): GraphqlRequest {
  if (Array.isArray(body)) throw new HttpFault(400, "Batches are not answered: send one request at a time.");
  if (!isObject(body)) throw new HttpFault(400, "The request body must be a JSON object.");
  const { query, variables, operationName, extensions } = body;
  if (typeof query !== "string") throw new HttpFault(400, "query must be a string.");
  if (variables != null && !isObject(variables)) throw new HttpFault(400, "variables must be an object.");
  if (operationName != null && typeof operationName !== "string")
    throw new HttpFault(400, "operationName must be a string.");
  if (extensions != null && !isObject(extensions)) throw new HttpFault(400, "extensions must be an object.");
  return { query, variables: variables ?? {}, operationName: operationName ?? undefined };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Fault {
  status: number;
  code: ErrorCode;
  message: string;
  headers?: Record<string, string>;
}

function faultOf(error: unknown, request: Request): Fault {
  if (error instanceof HttpFault) return error;
  if (error instanceof Unauthorized) {
    const challenge = request.headers.authorization === undefined ? "" : ', error="invalid_token"';
    const headers = { "WWW-Authenticate": `Bearer realm="latchkey"${challenge}` };
    return { status: 401, code: "access-denied", message: "Not authorized.", headers };
  }
  const retry = { "Retry-After": "2" };
  if (error instanceof AuthorizationUnavailable) {
    const message = "The request cannot be authorized now. Try again in a moment.";
    return { status: 503, code: "unexpected", message, headers: retry };
  }
  const { status } = error as { status?: unknown };
  // What body-parser throws for a body that it cannot read.
  if (status === 413) return { status, code: "limit-exceeded", message: "The request body is too large." };
  if (typeof status === "number" && status >= 400 && status < 500)
    return { status, code: "validation-failed", message: "The request body is malformed." };
  const { code, message, passing } = refusalOf(error, request.log);
  if (!passing) return { status: 500, code, message };
  return { status: code === "limit-exceeded" ? 429 : 503, code, message, headers: retry };
}

/** Answers with errors. They hold what row-level security let this caller see: no cache may keep them for another. */
function send(
  request: Request,
  response: Response,
  mediaType: string,
  status: number,
  body: ExecutionResult,
): void {
  addLogFields(request, { errorCode: body.errors?.[0]?.extensions.code as string | undefined });
  response.setHeader("Cache-Control", "no-store");
  sendJson(response, status, body, mediaType);
}
