import { failureOf, type Result, type TransportError } from "./errors.ts";
import type { Merged } from "./merged.ts";
import { redirect } from "./redirect.ts";
import type { paths } from "./schema.ts";

type Answers = paths["/v1/graphql"]["post"]["responses"];
type ErrorsIn<Response> = Response extends { content: { "application/json": infer Body } }
  ? Body extends { errors: (infer E)[] }
    ? E
    : never
  : never;
type DocumentedEntry = ErrorsIn<Answers[keyof Answers]>;
/** One entry of `errors`. */
export type GraphqlErrorEntry = Omit<Merged<DocumentedEntry>, "extensions"> & {
  extensions: Merged<DocumentedEntry["extensions"]>;
};

/** GraphQL refused: `code` is that of the first error. */
export type GraphqlError = {
  [Code in GraphqlErrorEntry["extensions"]["code"]]: {
    code: Code;
    message: string;
    errors: GraphqlErrorEntry[];
  };
}[GraphqlErrorEntry["extensions"]["code"]];

export type GraphqlResult<Data> = Result<Data, GraphqlError | TransportError>;

/** Sends a query or mutation. */
export type Graphql = <Data>(
  query: string,
  variables?: Record<string, unknown>,
) => Promise<GraphqlResult<Data>>;

/** The result of a response or of a message of a live query: errors leave no data, since each request is one transaction. */
export function resultOf<Data>(answer: unknown, status: number): GraphqlResult<Data> {
  const { data, errors } = (answer ?? {}) as { data?: Data | null; errors?: GraphqlErrorEntry[] };
  const [first] = errors ?? [];
  if (errors && first) return { error: { code: first.extensions.code, message: first.message, errors } };
  if (data !== undefined && data !== null) return { data };
  const message = `The response has the status ${status} and is not a GraphQL response.`;
  return { error: { code: "UNEXPECTED_RESPONSE", message, status } };
}

export function createGraphql(url: string, send: (request: Request) => Promise<Response>): Graphql {
  return async (query, variables = {}) => {
    try {
      const response = await send(
        new Request(`${url}/v1/graphql`, {
          ...{ method: "POST", redirect },
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ query, variables }),
        }),
      );
      return resultOf(await response.json().catch(() => null), response.status);
    } catch (cause) {
      return failureOf(cause);
    }
  };
}
