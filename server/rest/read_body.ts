import type { RequestHandler } from "express";
import type { IncomingMessage } from "node:http";
import { readForm, readJson } from "../../http/body_reader.ts";
import { Problem } from "../../http/problem.ts";
import { contextOf } from "../../http/request_context.ts";

/** How a route reads its body. */
export interface BodyReader {
  /** The accepted content types. Any other is answered 415. */
  mediaTypes: readonly string[];
  read: RequestHandler;
}

const limit = 16_384;
export const formType = "application/x-www-form-urlencoded";
const jsonTypes = ["application/json", "application/*+json"];

const parseJson = readJson(limit);

export const jsonBody: BodyReader = {
  mediaTypes: jsonTypes,
  read: (request, response, next) => {
    requireType(request, jsonTypes);
    parseJson(request, response, next);
  },
};

const verify = (request: IncomingMessage, _response: unknown, bytes: Buffer) => {
  contextOf(request).signedBytes = bytes;
};
const parseSignedJson = readJson(limit, { verify });
const parseSignedForm = readForm(limit, { verify });

/** Parses a signed body and keeps its bytes, which the signature covers. */
export const signedBody = (...mediaTypes: string[]): BodyReader => ({
  mediaTypes,
  read: (request, response, next) => {
    const parse = requireType(request, mediaTypes) === formType ? parseSignedForm : parseSignedJson;
    parse(request, response, next);
  },
});

/** The content type; null without a body. */
function requireType(request: Parameters<RequestHandler>[0], mediaTypes: readonly string[]): string | null {
  const type = request.is([...mediaTypes]);
  if (type === false) throw new Problem("INVALID_REQUEST", { reason: "unsupported_media_type" });
  return type;
}
