import type { z } from "zod";
import type { PepperKey } from "../../config/secrets/derived_keys.ts";
import { codeOfReason, Problem, type ErrorCode } from "../../http/problem.ts";
import { requireName } from "./name_fields.ts";
import { parseBody } from "./parse_body.ts";
import type { PathParameter } from "./path_parameters.ts";
import { jsonBody, type BodyReader } from "./read_body.ts";

export type PasswordKeys = readonly PepperKey[];

/** How a route reads its body, or the variable part of its path. */
export interface Input<Args extends object, Name extends string = never> {
  /** For the OpenAPI document; undefined: the route has no body, and none is read. */
  body: z.ZodType | undefined;
  /** Undefined: the path has no variable part. */
  parameter?: PathParameter<Name>;
  reader: BodyReader;
  errors: readonly ErrorCode[];
  /**
   * Turns a body, or the text of the path's variable part, into arguments of the route's SQL function.
   * @throws Problem with the code that docs/errors.md gives
   */
  parse: (input: unknown, passwordKeys: PasswordKeys) => Args;
}

/** A route that reads no body. */
export const noBody: Input<object> = { body: undefined, reader: jsonBody, errors: [], parse: () => ({}) };

/** An input that is a body. @param prepare a step before the schema */
export function input<Body, Args extends object>(
  schema: z.ZodType<Body>,
  toArguments: (body: Body, passwordKeys: PasswordKeys) => Args,
  errors: readonly ErrorCode[] = [],
  reader = jsonBody,
  prepare: (body: unknown) => unknown = (body) => body,
): Input<Args> {
  return {
    body: schema,
    reader,
    errors: ["MISSING_FIELDS", "INVALID_REQUEST", ...errors],
    parse: (body, passwordKeys) => toArguments(parseBody(schema, prepare(body)), passwordKeys),
  };
}

/** An input with a phone or an email. */
export function named<Body, Args extends object>(
  schema: z.ZodType<Body>,
  toArguments: (body: Body, passwordKeys: PasswordKeys) => Args,
  errors: readonly ErrorCode[] = [],
): Input<Args> {
  return input(schema, toArguments, ["INVALID_IDENTIFIER", ...errors], jsonBody, requireName);
}

/** An input that is the variable part of a path. */
export function parameterInput<Name extends string, Args extends object>(
  parameter: PathParameter<Name>,
  toArguments: (value: string) => Args,
): Input<Args, Name> {
  const { schema, reason } = parameter;
  const parse = (text: unknown) => {
    const { data } = schema.safeParse(text);
    if (data === undefined) throw new Problem(codeOfReason(reason), { reason });
    return toArguments(data);
  };
  return { ...noBody, parameter, parse };
}
