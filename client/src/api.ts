import { errorOf, failureOf, type CodeIn, type LatchkeyError, type Result } from "./errors.ts";
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

/** What a route resolves with. */
export type ResultOf<Method extends string, Path extends PathWith<Method>> = Result<
  Data<Operation<Path, Method>>,
  LatchkeyError<Codes<Operation<Path, Method>>>
>;

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
        if (!answer.ok || answer.body === undefined) return { error: errorOf(answer) };
        const data = dataOf(answer.body);
        await onSuccess(`${name} ${path}`, data);
        return { data };
      } catch (cause) {
        return failureOf(cause, options.signal);
      }
    };
  // The types above come from the document.
  return { GET: method("GET"), POST: method("POST"), DELETE: method("DELETE") } as Api;
}

/** Returns the data of a success, without the envelope. The OpenAPI document itself has none. */
function dataOf(body: unknown): unknown {
  const { data = null, meta } = (body ?? {}) as { data?: unknown; meta?: unknown };
  return meta === undefined ? body : data;
}
