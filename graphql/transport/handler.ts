import type { Request, RequestHandler, Response } from "express";
import { promisify } from "node:util";
import { GraphQLError, type ExecutionResult } from "postgraphile/graphql";
import { Unauthorized, type Authorizer } from "../authorization/authorizer.ts";
import type { Audience, Caller } from "../authorization/caller.ts";
import { isRetryable, limitOf, maskError } from "../engine/execution/dialect.ts";
import { executeRequest } from "../engine/execution/execute.ts";
import { RequestError } from "../engine/documents/prepare_request.ts";
import { callerClassOf } from "../engine/admission/principals.ts";
import type { Engine } from "../engine/engine.ts";
import type { Change } from "../engine/execution/changes.ts";
import { wholeRequest } from "../engine/documents/error_path.ts";
import type { GraphqlRequest } from "../engine/documents/graphql_request.ts";
import { readJson } from "../../http/body_reader.ts";
import { contextOf, type RequestContext } from "../../http/request_context.ts";
import { shortenPreferences } from "../../http/long_preferences.ts";
import { sendJson, sendText } from "../../http/send_json.ts";
import { HttpError, toErrorResponse } from "./http_errors.ts";
import { callerFields, logChange, operationFields } from "./log_operation.ts";
import { createPersistedDocuments } from "./persisted_documents.ts";
import { parseRequestBody, parseRequestUrl } from "./request_body.ts";

const json = "application/json";
const graphqlJson = "application/graphql-response+json";
/** What Accept may name, in the order that is preferred. A client may repeat the character set of our Content-Type. */
const mediaTypes = [json, graphqlJson, `${json}; charset=utf-8`, `${graphqlJson}; charset=utf-8`];
const maxBodyBytes = 65_536;

interface Options {
  authorizer: Authorizer;
  engineOf: (audience: Audience) => Engine;
  /** Counts a change that the admin made in the metrics. */
  onChange?: ((change: Change) => void) | undefined;
}

/**
 * Creates the handler of POST and GET /v1/graphql, which follows the GraphQL over HTTP specification. It authorizes the request
 * before it reads its body.
 */
export function createGraphqlHandler({ authorizer, engineOf, onChange }: Options): RequestHandler {
  const documents = createPersistedDocuments();
  const authorize = async (request: Request): Promise<Caller> => {
    // node:http would use the first of two Authorization headers.
    if (request.headersDistinct.authorization && request.headersDistinct.authorization.length > 1)
      throw new Unauthorized("several Authorization headers", request.headers);
    const context = contextOf(request);
    const caller = await authorizer.authorize(request.headers, context.client, context);
    context.addLogFields(callerFields(caller));
    return { ...caller, address: context.client };
  };

  const execute = async (request: Request, response: Response, caller: Caller): Promise<void> => {
    const mediaType = acceptedType(request);
    if (mediaType === undefined) throw new HttpError(406, `Accept must allow ${json} or ${graphqlJson}.`);
    const context = contextOf(request);
    const findDocument = (persistedQuery: object, query: string | undefined) =>
      documents.resolve(callerClassOf(caller), persistedQuery, query);
    const graphqlRequest: GraphqlRequest = {
      ...(request.method === "POST"
        ? parseRequestBody(request.body, findDocument)
        : parseRequestUrl(request, findDocument)),
      onOperation: (operation) => context.addLogFields(operationFields(operation)),
      onChange: (change) => {
        logChange(context.log, caller, change);
        onChange?.(change);
      },
    };
    try {
      const { errors, dataJson } = await executeRequest(
        engineOf(caller.audience),
        forRequest(caller, context),
        graphqlRequest,
      );
      // Sends a status that tells the client to retry, instead of 200 with errors.
      const retryable = errors?.find(isRetryable);
      if (retryable) throw retryable;
      if (errors) {
        const masked = errors.map((error) => maskError(error, context.log));
        sendErrors(request, response, mediaType, 200, { errors: masked, data: null });
      } else {
        response.setHeader("Cache-Control", "no-store");
        sendText(response, 200, `{"data":${dataJson}}`, mediaType);
      }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const errors = error.errors.map((cause) => maskError(cause, context.log));
      // GraphQL over HTTP recommends 200 for a request error in a response of type application/json.
      sendErrors(request, response, mediaType, mediaType === json ? 200 : 400, { errors });
    }
  };

  const sendFailure = (request: Request, response: Response, error: unknown): void => {
    const { status, message, headers, ...extensions } = toErrorResponse(error, request);
    const errors = [new GraphQLError(message, { extensions: { path: wholeRequest, ...extensions } })];
    response.set(headers);
    // Some clients read the errors of a status other than 200 in the media type of GraphQL only.
    sendErrors(request, response, acceptedType(request) ?? json, status, { errors });
  };

  return async (request, response) => {
    try {
      const caller = await authorize(request);
      if (request.method === "POST") {
        requireJson(request);
        await readBody(request, response);
      }
      await execute(request, response, caller);
    } catch (error) {
      sendFailure(request, response, error);
    }
  };
}

/** An admin's mutation may queue a message, whose job carries the ids of the request (private.queue_send). */
const forRequest = (caller: Caller, { ids }: RequestContext): Caller =>
  caller.audience === "admin"
    ? { ...caller, settings: { ...caller.settings, "latchkey.request": JSON.stringify(ids) } }
    : caller;

/** The media type that Accept prefers; undefined if it allows none of ours. */
function acceptedType(request: Request): string | undefined {
  shortenPreferences(request, "accept");
  const accepted = request.accepts(mediaTypes);
  return accepted === false ? undefined : accepted.split(";", 1)[0];
}

/** Requires a content type that triggers a CORS preflight, so that no other site's form can send a request. */
function requireJson(request: Request): void {
  if (!request.is([json, "application/*+json"])) throw new HttpError(415, "The request body must be JSON.");
}

const readBody = promisify(readJson(maxBodyBytes, { strict: false }));

/** Sends errors with no-store: they depend on what row-level security shows this caller. */
function sendErrors(
  request: Request,
  response: Response,
  mediaType: string,
  status: number,
  body: ExecutionResult,
): void {
  contextOf(request).addLogFields({
    errorCode: body.errors?.[0]?.extensions.code as string | undefined,
    policy: limitOf(body.errors),
  });
  response.setHeader("Cache-Control", "no-store");
  sendJson(response, status, body, mediaType);
}
