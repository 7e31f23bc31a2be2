import { failureOf, type Result, type TransportError } from "./errors.ts";
import type { Merged } from "./merged.ts";
import type { paths } from "./schema.ts";
import type { Send } from "./send.ts";

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

export const createGraphql =
  (send: Send): Graphql =>
  async (query, variables = {}) => {
    try {
      const { status, body } = await send("/v1/graphql", { method: "POST", body: { query, variables } });
      return resultOf(body, status);
    } catch (cause) {
      return failureOf(cause);
    }
  };
