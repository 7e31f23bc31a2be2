import { z } from "zod";
import type { functions } from "./api_catalog.ts";

type Functions = typeof functions;
type DataOf<Name extends keyof Functions> = z.output<Functions[Name]["returns"]>;

/** The codes that SQL returns; the server adds its own (http/problem.ts has all of them, with their statuses). */
export type ApiErrorCode = Functions[keyof Functions]["errors"][number];

/** With the ids (jti) of the tokens that the server is to sign. */
export type Session = DataOf<"log_in">;
export type Caller = DataOf<"describe_caller">;
export type SessionList = DataOf<"list_sessions">;
export type Revocation = DataOf<"revoke_other_sessions">;
export type Otp = DataOf<"send_otp">;
export type ResetRequest = DataOf<"request_password_reset">;
export type Account = DataOf<"register">;
export type PhoneChange = DataOf<"change_phone">;
export type Deletion = DataOf<"delete_account">;
export type FactorList = DataOf<"list_factors">;
export type NewTotp = DataOf<"add_totp_factor">;
export type PasskeyOptions = DataOf<"begin_passkey_login">;
export type RecoveryCodes = DataOf<"make_recovery_codes">;
export type AccountExport = DataOf<"export_account">;
export type Measurement = DataOf<"measure">;
export type Receipt = DataOf<"record_receipt">;
export type Nothing = DataOf<"log_out">;

/** The type api.error, with which every answer begins. */
const apiError = z.object({ code: z.string(), details: z.record(z.string(), z.unknown()).nullable() });
export interface ApiError {
  code: ApiErrorCode;
  details: z.output<typeof apiError>["details"];
}
const anyAnswer = z.object({ error: apiError.nullable() });

/** The answer of a function: an error of docs/errors.md, or its data. */
export type Answer<Data> = { error: ApiError; data?: never } | { error: null; data: Data };

/** A function has answered with an error that its comment does not name, which no client can get, and no log. */
export class UndeclaredError extends Error {
  readonly #answered: object;
  constructor(answered: { code: string; details: unknown }) {
    super(`${answered.code} is not among the errors that the comment of the function names`);
    this.#answered = answered;
  }

  get answered(): object {
    return this.#answered;
  }
}

interface Declared<Data> {
  returns: z.ZodType<Data>;
  errors: readonly ApiErrorCode[];
}

/**
 * Reads the JSON of a composite that a function returned.
 * @throws UndeclaredError
 */
export function parseAnswer<Data>({ returns, errors }: Declared<Data>, json: unknown): Answer<Data> {
  const { error } = anyAnswer.parse(json);
  if (!error) return { error: null, data: returns.parse(json) };
  const code = errors.find((declared) => declared === error.code);
  if (code === undefined) throw new UndeclaredError(error);
  return { error: { code, details: error.details } };
}
