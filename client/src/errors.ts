import type { paths } from "./schema.ts";
import { NoResponse, type Answer } from "./send_request.ts";

/** Every error that a route of the OpenAPI document responds with. */
type DocumentedError = ErrorIn<Responses<paths[keyof paths]>>;
export type ErrorCode = DocumentedError["code"];

/** The type of `details`, by code. */
type DetailsByCode = {
  [Code in ErrorCode]: OpenReason<Extract<DocumentedError, { code: Code }>["details"]>;
};

/** The values of `details.reason` are listed in docs/errors.md, and there may be more of them. */
export type Reason = Extract<DocumentedError["details"], { reason: string }>["reason"] | OtherReason;
type OtherReason = string & Record<never, never>;
type OpenReason<Details> = Details extends { reason: string }
  ? { [Name in keyof Details]: Name extends "reason" ? Details[Name] | OtherReason : Details[Name] }
  : Details;

/** The service refused. */
export type ServiceError<Code extends ErrorCode = ErrorCode> = {
  [C in Code]: {
    code: C;
    /** A message for people, in English. Programs should use `code`. */
    message: string;
    details: DetailsByCode[C];
    status: number;
    /** Name this id when you ask the service's operators. */
    requestId: string | null;
  };
}[Code];

/** There was no response, so the request may or may not have been handled. The session is kept. */
export interface NetworkFailure {
  code: "NETWORK_FAILURE";
  message: string;
  /** Whether the caller's own AbortSignal ended the request. */
  aborted: boolean;
  /**
   * What fetch threw. In Node its own `cause` tells a refused connection from a certificate or a name that is wrong.
   */
  cause: unknown;
}

/** Something other than the service responded: a proxy, or the sign-in page of a public network. */
export interface UnexpectedResponse {
  code: "UNEXPECTED_RESPONSE";
  message: string;
  status: number;
}

/** The errors that every request may have, besides the service's own codes. */
export type TransportError = NetworkFailure | UnexpectedResponse;

/** Every error of a REST route. */
export type LatchkeyError<Code extends ErrorCode = ErrorCode> = ServiceError<Code> | TransportError;

/** Expected failures do not throw. Exactly one of the two members is set. */
export type Result<Data, Failure = LatchkeyError> =
  { data: Data; error?: undefined } | { data?: undefined; error: Failure };

/** Thrown by a fetch that could not get a token, to the function that returns the result. */
export class NoToken extends Error {
  readonly reason: LatchkeyError;
  constructor(reason: LatchkeyError) {
    super(reason.message);
    this.reason = reason;
  }
}

/**
 * The result of a request that threw.
 * @param signal the caller's own, which may have any reason
 * @throws every other cause: a fault of the program or of the storage
 */
export function failureOf(cause: unknown, signal?: AbortSignal): { error: TransportError } {
  // SERVICE_UNAVAILABLE and INTERNAL_ERROR: every route may respond with them.
  if (cause instanceof NoToken) return { error: cause.reason as TransportError };
  if (!(cause instanceof NoResponse)) throw cause;
  const aborted = signal?.aborted ?? false;
  return { error: { code: "NETWORK_FAILURE", message: cause.message, aborted, cause: cause.cause } };
}

/** The error in an answer. */
export function errorOf<Code extends ErrorCode>({ status, headers, body }: Answer): LatchkeyError<Code> {
  const { error } = (body ?? {}) as { error?: Omit<ServiceError<Code>, "status" | "requestId"> };
  if (typeof error?.code !== "string") {
    const message = `The response has the status ${status} and is not the service's.`;
    return { code: "UNEXPECTED_RESPONSE", message, status };
  }
  return { ...error, status, requestId: headers.get("x-request-id") } as ServiceError<Code>;
}

/** The responses of all operations of a path, of a union of paths, or of an operation. */
type Responses<Path> = Path extends { responses: infer All }
  ? All[keyof All]
  : {
      [Method in keyof Path]: Path[Method] extends { responses: infer All } ? All[keyof All] : never;
    }[keyof Path];

/** The errors in responses. */
type ErrorIn<Response> = Response extends { content: { "application/json": infer Body } }
  ? Body extends { error: infer E extends { code: string; details: object | null } }
    ? E
    : never
  : never;

/** The error codes in responses. */
export type CodeIn<Response> = ErrorIn<Response>["code"];
