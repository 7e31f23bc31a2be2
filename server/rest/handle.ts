import express, { type Request, type RequestHandler } from "express";
import type { Answer } from "../database/api_functions.ts";
import { apiFunctions } from "../database/api_functions.ts";
import type { Services } from "../services.ts";
import { clientAddress } from "../http/client_address.ts";
import { sendSuccess } from "../http/envelope.ts";
import { Problem, type ErrorCode } from "../http/problem.ts";
import { addLogFields, type LogFields } from "../http/log_fields.ts";
import type { Present } from "./answers.ts";
import type { Route } from "./routes.ts";

const jsonTypes = ["application/json", "application/*+json"];
const parseJson = express.json({ limit: "16kb", type: jsonTypes });

/** Reads the body of a route that has one. */
export const readBody: RequestHandler = (request, response, next) => {
  if (request.is(jsonTypes) === false)
    throw new Problem("INVALID_REQUEST", { reason: "unsupported_media_type" });
  parseJson(request, response, next);
};

const idsOf = (source: object): LogFields => {
  const { user_id, session_id, otp_id } = source as Record<string, string | null | undefined>;
  return { userId: user_id, sessionId: session_id, otpId: otp_id };
};

/** What every route of the table does: guard, input, one call, answer. */
export function handle(route: Route, services: Services): RequestHandler {
  const { config, database, tokens, passwordQueue } = services;
  const usesPasswordPool = apiFunctions[route.call].pool === "password";

  const call = async (request: Request): Promise<Answer> => {
    const ids = route.guard(request, tokens);
    addLogFields(request, idsOf(ids));
    const given = route.input(request.body, config.passwordKey);
    const client = clientAddress(request);
    const run = () =>
      database.call<Answer>(route.call, { ...ids, ...given, client, code_key: config.codeKey });
    return usesPasswordPool ? passwordQueue.run({ client, phone: String(given.phone) }, run) : run();
  };

  return async (request, response) => {
    let answer = await call(request);
    addLogFields(request, idsOf(answer));
    if (!answer.error && route.follow) answer = await route.follow(answer, services);
    if (answer.error) throw new Problem(answer.error.code as ErrorCode, answer.error.details);
    const data = (route.present as Present<Answer>)(answer, tokens);
    sendSuccess(request, response, route.status, route.message, data);
  };
}
