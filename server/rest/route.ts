import type { RequestHandler } from "express";
import type { Method } from "../../http/express_app.ts";
import type { ApiFunction } from "../database/api_definition.ts";
import type { Services } from "../services.ts";
import type { Presenter } from "./answers/presenter.ts";
import type { Follow } from "./await_delivery.ts";
import type { Guard } from "./guards.ts";
import type { Input } from "./input.ts";
import type { ParameterNames } from "./path_parameters.ts";

export type { Method };

/** Arguments that every function may take, whatever the request. */
export interface Context {
  /** The client's address as limits count it. */
  client: string;
  user_agent: string | null;
  code_key: Buffer;
  /** The domain that passkeys belong to; null: there are none. */
  rp_id: string | null;
  /** The languages of Accept-Language, the preferred one first. */
  languages: string[];
  /** The new secret of an app, for a function that stores one. */
  sealed_secret: Buffer;
  pepper_id: string;
}

/** A path whose only variable part is Name; a path without variable parts if Name is never. */
type PathOf<Path extends string, Name extends string> = [ParameterNames<Path>, Name] extends [
  Name,
  ParameterNames<Path>,
]
  ? Path
  : never;

/**
 * A route, typed from the URL to the SQL: the ids of its guard, the arguments of its input and the
 * context must be all that its function takes, and its presenter must take what the function answers.
 */
export interface RouteDefinition<
  Path extends `/${string}`,
  Name extends string,
  Ids extends object,
  Args extends object,
  Data,
> {
  method: Method;
  /** Below /api/v1, with the names of variable parts in braces. */
  path: Path & PathOf<Path, Name>;
  /** The function of schema api that answers. */
  calls: ApiFunction<NoInfer<Ids & Args & Context>, Data>;
  guard: Guard<Ids>;
  input: Input<Args, Name>;
  status: 200 | 201;
  presenter: Presenter<Data>;
  /** The response's meta.message. */
  message: string;
  follow?: Follow<Data>;
}

/** A route of the table, without its type parameters. */
export interface Route {
  method: Method;
  path: string;
  status: number;
  message: string;
  calls: Pick<ApiFunction<never, unknown>, "args" | "pool" | "errors" | "reasons" | "returns">;
  guard: Pick<Guard<object>, "scheme" | "parameters" | "isOptional" | "errors" | "reasons" | "isOffered">;
  input: Pick<Input<object, string>, "body" | "parameter" | "reader" | "errors">;
  presenter: Pick<Presenter<never>, "schema">;
  follow?: Pick<Follow<never>, "calls">;
  handler: (services: Services) => RequestHandler;
}
