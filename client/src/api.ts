import { errorOf, failureOf, type CodeIn, type LatchkeyError, type Result } from "./errors.ts";
import { usePasskey, type PasskeyFailure, type PasskeyRequestOptions } from "./browser_passkeys.ts";
import type { paths } from "./schema.ts";
import type { Send } from "./send_request.ts";

const prefix = "/api/v1";

/** The REST routes by their path below /api/v1. */
type Routes = {
  [Path in keyof paths as Path extends `${typeof prefix}${infer Own}` ? Own : never]: paths[Path];
};

type PathWith<Method extends string> = {
  [Path in keyof Routes]: Method extends keyof Routes[Path]
    ? Routes[Path][Method] extends { responses: unknown }
      ? Path
      : never
    : never;
}[keyof Routes];

type Operation<Path extends keyof Routes, Method extends string> = Routes[Path][Method & keyof Routes[Path]];

/** The JSON of responses of these statuses. */
type Body<Op, Status> = Op extends { responses: infer All } ? JsonOf<All[keyof All & Status]> : never;
type JsonOf<Response> = Response extends { content: { "application/json": infer Json } } ? Json : never;

/** `data` of a success; null where the route has none. */
type Data<Op> =
  Body<Op, 200 | 201> extends infer Success
    ? Success extends { data: infer Own }
      ? Own
      : Success extends { meta: unknown }
        ? null
        : Success
    : never;

type Codes<Op> = Op extends { responses: infer All } ? CodeIn<All[keyof All]> : never;

type BodyOption<Op> = Op extends { requestBody: { content: { "application/json": infer Json } } }
  ? { body: Json }
  : { body?: never };
type PathOption<Op> = Op extends { parameters: { path: infer Values extends object } }
  ? { params: { path: Values } }
  : { params?: never };
type Options<Op> = BodyOption<Op> & PathOption<Op> & { signal?: AbortSignal; headers?: Record<string, string> };

/** Required where the route has a body or a variable path. */
type Arguments<Op> = Op extends { requestBody: object } | { parameters: { path: object } }
  ? [options: Options<Op>]
  : [options?: Options<Op>];

type PlainResult<Op> = Result<Data<Op>, LatchkeyError<Codes<Op>>>;

/** The first step of a sign-in was right, and the account's second factor is the second one. */
export interface Challenge {
  /** The kinds of second factors that the account has. */
  factors: ("totp" | "passkey")[];
  /** Until when it may be answered, ISO 8601. */
  expiresAt: string;
  /** Signs in by the code of an app, or by a recovery code, as typed. May be called again after a wrong one. */
  enter: (
    answer: { code: string } | { recoveryCode: string },
    options?: { signal?: AbortSignal },
  ) => Promise<PlainResult<Operation<"/auth/login/factor", "post">>>;
  /** Signs in by one of the user's passkeys, which the browser asks for. May be called again. */
  usePasskey: (options?: {
    signal?: AbortSignal;
  }) => Promise<
    Result<
      Data<Operation<"/auth/login/factor", "post">>,
      LatchkeyError<Codes<Operation<"/auth/login/factor" | "/auth/login/factor/options", "post">>> | PasskeyFailure
    >
  >;
}

/** The routes whose result may be a challenge. */
type FirstStep = "/auth/login" | "/auth/login/otp";
type FirstStepResult<Op> =
  | (PlainResult<Op> & { challenge?: undefined })
  | { data?: undefined; error: LatchkeyError<"INVALID_REQUEST" & Codes<Op>>; challenge: Challenge };

/** What a route resolves with. */
export type ResultOf<Method extends string, Path extends PathWith<Method>> = Path extends FirstStep
  ? FirstStepResult<Operation<Path, Method>>
  : PlainResult<Operation<Path, Method>>;

export type ApiMethod<Method extends string> = <Path extends PathWith<Method>>(
  path: Path,
  ...options: Arguments<Operation<Path, Method>>
) => Promise<ResultOf<Method, Path>>;

/** Every REST route by method and path. */
export interface Api {
  GET: ApiMethod<"get">;
  POST: ApiMethod<"post">;
  DELETE: ApiMethod<"delete">;
}

interface ApiOptions {
  /** Sends a request with the session's token. */
  send: Send;
  /** Called with each success, before the caller gets it. */
  onSuccess: (route: string, data: unknown) => Promise<void>;
}

interface AnyOptions {
  params?: { path?: Record<string, string> };
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export function createApi({ send, onSuccess }: ApiOptions): Api {
  const method =
    (name: string) =>
    async (path: string, { params, ...options }: AnyOptions = {}): Promise<Result<unknown>> => {
      const own = path.replace(/\{(\w+)\}/g, (_, variable: string) =>
        encodeURIComponent(params?.path?.[variable] ?? ""),
      );
      try {
        const answer = await send(prefix + own, { method: name, ...options });
        if (!answer.ok || answer.body === undefined) return refusal(errorOf(answer));
        const data = dataOf(answer.body);
        await onSuccess(`${name} ${path}`, data);
        return { data };
      } catch (cause) {
        return failureOf(cause, options.signal);
      }
    };
  const post = method("POST");
  /** An error, with the challenge if it is one of two steps. */
  function refusal(error: LatchkeyError): { error: LatchkeyError; challenge?: Challenge } {
    if (error.code !== "INVALID_REQUEST" || error.details.reason !== "second_factor_required") return { error };
    const { challenge_id, factors, expires_at } = error.details as unknown as ChallengeDetails;
    const enter = ({ code, recoveryCode }: { code?: string; recoveryCode?: string }, options = {}) =>
      post("/auth/login/factor", { body: { challenge_id, code, recovery_code: recoveryCode }, ...options });
    const answerByPasskey = async ({ signal }: { signal?: AbortSignal } = {}): Promise<Result<unknown, object>> => {
      const own = signal ? { signal } : {};
      const begun = await post("/auth/login/factor/options", { body: { challenge_id }, ...own });
      if (begun.error) return { error: begun.error };
      const { options } = begun.data as { options: PasskeyRequestOptions };
      const used = await usePasskey(options, own);
      if (used.error) return { error: used.error };
      return post("/auth/login/factor", { body: { challenge_id, credential: used.data }, ...own });
    };
    const usePasskeyOfUser = answerByPasskey as Challenge["usePasskey"];
    const challenge = {
      factors,
      expiresAt: expires_at,
      enter: enter as Challenge["enter"],
      usePasskey: usePasskeyOfUser,
    };
    return { error, challenge };
  }
  // The types above come from the document.
  return { GET: method("GET"), POST: post, DELETE: method("DELETE") } as Api;
}

interface ChallengeDetails {
  challenge_id: string;
  factors: Challenge["factors"];
  expires_at: string;
}

/** Returns the data of a success, without the envelope. The OpenAPI document itself has none. */
function dataOf(body: unknown): unknown {
  const { data = null, meta } = (body ?? {}) as { data?: unknown; meta?: unknown };
  return meta === undefined ? body : data;
}
