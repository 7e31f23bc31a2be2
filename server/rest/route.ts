import type { RequestHandler } from "express";
import type { ApiFunction } from "../database/api_functions.ts";
import type { Services } from "../services.ts";
import type { Presenter } from "./answers.ts";
import type { Follow } from "./await_delivery.ts";
import type { Guard } from "./guards.ts";
import type { Input } from "./inputs.ts";

/** Arguments that every function may take, whatever the request. */
export interface Context {
  /** The client's address as limits count it. */
  client: string;
  code_key: Buffer;
  /** Those of Accept-Language, the preferred one first. */
  languages: string[];
}

/**
 * A route, typed from the URL to the SQL: the ids of its guard, the arguments of its input and the context must be all that its
 * function takes, and its presenter must take what the function answers.
 */
export interface RouteDefinition<Ids extends object, Args extends object, Data> {
  path: `/${string}`;
  /** The function of schema api that answers. */
  calls: ApiFunction<NoInfer<Ids & Args & Context>, Data>;
  guard: Guard<Ids>;
  input: Input<Args>;
  status: 200 | 201;
  presenter: Presenter<Data>;
  /** The answer's meta.message. */
  message: string;
  follow?: Follow<Data>;
}

/** What the table of routes holds, whatever the types of each. */
export interface Route extends Omit<
  RouteDefinition<object, object, never>,
  "calls" | "guard" | "input" | "presenter" | "follow"
> {
  calls: Pick<ApiFunction<never, unknown>, "pool" | "errors" | "reason" | "returns">;
  guard: Pick<Guard<object>, "scheme" | "errors" | "reasons" | "isOffered">;
  input: Pick<Input<object>, "body" | "reader" | "errors">;
  presenter: Pick<Presenter<never>, "schema">;
  follow?: Pick<Follow<never>, "calls">;
  handler: (services: Services) => RequestHandler;
}
