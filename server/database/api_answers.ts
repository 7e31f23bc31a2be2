import { z } from "zod";
import { exportedAccount } from "./exported_account.ts";

/** The codes that SQL returns; the server adds its own (http/problem.ts has all of them, with their statuses). */
export type ApiErrorCode =
  | "INVALID_REQUEST"
  | "INVALID_IDENTIFIER"
  | "INVALID_OTP"
  | "INVALID_OTP_FORMAT"
  | "OTP_EXPIRED"
  | "OTP_ALREADY_USED"
  | "MAX_ATTEMPTS_REACHED"
  | "OTP_SEND_FAILED"
  | "RATE_LIMIT_EXCEEDED"
  | "SESSION_NOT_FOUND"
  | "SESSION_REVOKED"
  | "SESSION_MISMATCH";

/** The type api.error, with which every answer begins. */
const apiError = z.object({ code: z.string(), details: z.record(z.string(), z.unknown()).nullable() });
export interface ApiError {
  code: ApiErrorCode;
  details: z.output<typeof apiError>["details"];
}

/** The answer of a function: an error of docs/errors.md, or its data. */
export type Answer<Data> = { error: ApiError; data?: never } | { error: null; data: Data };

/** A type that functions of schema api return: its name, and its attributes without error. Times are in ISO 8601. */
export interface AnswerType<Data> {
  name: string;
  data: z.ZodType<Data>;
}
const answerType = <Data>(name: string, data: z.ZodType<Data>): AnswerType<Data> => ({ name, data });

export const nothing = answerType("api.answer", z.object({}));

/** With the ids (jti) of the tokens that the server is to sign. */
export const session = answerType(
  "api.session_answer",
  z.object({
    session_id: z.string(),
    user_id: z.string().nullable(),
    user_type: z.enum(["guest", "user"]),
    role: z.enum(["guest", "user"]),
    access_token_id: z.string(),
    access_token_expires_at: z.string(),
    refresh_token_id: z.string(),
    refresh_token_expires_at: z.string(),
    /** How the user signed in; null for a guest, and for a session that the admin opened. */
    amr: z.array(z.string()).nullable(),
    authenticated_at: z.string().nullable(),
    /** The guest session that this one replaces. */
    promoted_session_id: z.string().nullable(),
    /** Signing in has undone the deletion of the account. */
    restored: z.boolean(),
    /** Signing in has opened the account. */
    created: z.boolean(),
  }),
);

export const caller = answerType(
  "api.caller_answer",
  z.object({
    session_id: z.string(),
    user_type: z.enum(["guest", "user"]),
    role: z.enum(["guest", "user"]),
    user_id: z.string().nullable(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    created_at: z.string(),
    access_token_expires_at: z.string(),
    refresh_token_expires_at: z.string(),
    deletion_due_at: z.string().nullable(),
  }),
);

export const sessionList = answerType(
  "api.session_list_answer",
  z.object({
    sessions: z.array(
      z.object({
        session_id: z.string(),
        current: z.boolean(),
        created_at: z.string(),
        last_used_at: z.string(),
        client: z.string().nullable(),
        user_agent: z.string().nullable(),
        label: z.string().nullable(),
      }),
    ),
  }),
);

export const revocation = answerType("api.revocation_answer", z.object({ revoked: z.number() }));

export const otp = answerType(
  "api.otp_answer",
  z.object({
    otp_id: z.string(),
    expires_at: z.string(),
    /** How long to wait for the delivery; null: there is nothing to wait for. */
    wait_seconds: z.number().nullable(),
  }),
);

/** Of a reset, for the log alone. */
export const resetRequest = answerType("api.reset_request_answer", z.object({ otp_id: z.string().nullable() }));

export const account = answerType("api.account_answer", z.object({ user_id: z.string() }));
export const deletion = answerType("api.deletion_answer", z.object({ deletion_due_at: z.string() }));
export const accountExport = answerType("api.export_answer", z.object({ export: exportedAccount }));
export const readiness = answerType(
  "api.readiness_answer",
  z.object({ failed: z.array(z.string()), undelivered: z.array(z.string()) }),
);

type DataOf<T> = T extends AnswerType<infer Data> ? Data : never;
export type Nothing = DataOf<typeof nothing>;
export type Session = DataOf<typeof session>;
export type Caller = DataOf<typeof caller>;
export type SessionList = DataOf<typeof sessionList>;
export type Revocation = DataOf<typeof revocation>;
export type Otp = DataOf<typeof otp>;
export type ResetRequest = DataOf<typeof resetRequest>;
export type Account = DataOf<typeof account>;
export type Deletion = DataOf<typeof deletion>;
export type AccountExport = DataOf<typeof accountExport>;

const anyAnswer = z.object({ error: apiError.nullable() });

/** A function has answered with an error that it does not declare, which no client can get, and no log. */
export class UndeclaredError extends Error {
  readonly #answered: object;
  constructor(answered: { code: string; details: unknown }) {
    super(`${answered.code} is not among the errors that the function declares in api_functions.ts`);
    this.#answered = answered;
  }

  get answered(): object {
    return this.#answered;
  }
}

interface Declared<Data> {
  returns: AnswerType<Data>;
  errors: readonly ApiErrorCode[];
}

/**
 * Reads the JSON of a composite that a function returned.
 * @throws UndeclaredError
 */
export function parseAnswer<Data>({ returns, errors }: Declared<Data>, json: unknown): Answer<Data> {
  const { error } = anyAnswer.parse(json);
  if (!error) return { error: null, data: returns.data.parse(json) };
  const code = errors.find((declared) => declared === error.code);
  if (code === undefined) throw new UndeclaredError(error);
  return { error: { code, details: error.details } };
}
