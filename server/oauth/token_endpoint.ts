import type { Request, RequestHandler, Response } from "express";
import { promisify } from "node:util";
import { readForm } from "../../http/body_reader.ts";
import { failureFields } from "../../http/envelope.ts";
import { isFault, toProblem } from "../../http/failures.ts";
import { Problem } from "../../http/problem.ts";
import { contextOf } from "../../http/request_context.ts";
import { sendJson } from "../../http/send_json.ts";
import { formType } from "../rest/read_body.ts";
import type { Services } from "../services.ts";
import { authenticateResourceServer } from "./resource_server.ts";

const read = promisify(readForm(16_384));

/** OAuth's words for what went wrong (RFC 6749 section 5.2), by the status of the answer. */
const errors = {
  400: {
    error: "invalid_request",
    error_description: `Send one token, as ${formType}. token_type_hint may be beside it.`,
  },
  401: {
    error: "invalid_client",
    error_description: "Send the name and secret of one of RESOURCE_SERVERS by HTTP Basic.",
  },
  500: { error: "server_error", error_description: "Something went wrong on our side." },
  503: {
    error: "temporarily_unavailable",
    error_description: "The service cannot take this request now. Try again in a moment.",
  },
};

/** Of the other statuses, 413 and 415 among them, OAuth has none. */
function errorOf({ status }: Problem): [status: number, body: { error: string; error_description: string }] {
  if (status === 401 || status === 500 || status === 503) return [status, errors[status]];
  return [400, errors[400]];
}

/**
 * Creates a handler that takes a token from a resource server, in a form, and answers 200 with what `answer` returns.
 * Every error is one of OAuth's.
 */
export function tokenEndpoint(
  { config }: Services,
  answer: (token: string, request: Request) => Promise<object>,
): RequestHandler {
  const respond = async (request: Request, response: Response): Promise<void> => {
    const context = contextOf(request);
    response.setHeader("Cache-Control", "no-store");
    try {
      const name = authenticateResourceServer(request, config.RESOURCE_SERVERS);
      if (name === undefined) throw new Problem("SESSION_MISMATCH");
      context.addLogFields({ resourceServer: name });
      if (!request.is(formType)) throw new Problem("INVALID_REQUEST");
      await read(request, response);
      const { token } = (request.body ?? {}) as { token?: unknown };
      // A parameter that is there twice is a list (RFC 6749 section 3.2 refuses it).
      if (typeof token !== "string" || token === "") throw new Problem("INVALID_REQUEST");
      sendJson(response, 200, await answer(token, request));
    } catch (error) {
      if (isFault(error)) context.log.error({ err: error }, "a resource server's request failed");
      const problem = toProblem(error);
      const [status, body] = errorOf(problem);
      context.addLogFields({ ...failureFields(problem), errorCode: body.error });
      response.setHeaders(new Map(Object.entries(problem.headers)));
      if (status === 401) response.setHeader("WWW-Authenticate", 'Basic realm="latchkey", charset="UTF-8"');
      sendJson(response, status, body);
    }
  };
  return (request, response) => void respond(request, response);
}
