import { failureOf, type Result, type TransportError } from "./errors.ts";
import type { Merged } from "./merged.ts";
import { printDocument } from "./print_document.ts";
import type { paths } from "./schema.ts";
import type { Send } from "./send_request.ts";

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

/** A document whose types a code generator has written: TypedDocumentNode or TypedDocumentString. */
export type TypedDocument<Data, Variables> = object & {
  __apiType?: ((variables: Variables) => Data) | undefined;
};

/** A document without types: text, or what the tag gql makes of it. */
export type UntypedDocument = string | { readonly kind: "Document"; readonly __apiType?: undefined };

export interface GraphqlOptions {
  signal?: AbortSignal;
}

/** Required if one of the variables is. */
export type VariablesOf<Variables, Rest extends unknown[] = []> =
  // eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- what a call without variables passes
  Pick<Variables, never> extends Variables ? [variables?: Variables, ...Rest] : [variables: Variables, ...Rest];

/** Sends a query or mutation. */
export interface Graphql {
  <Data, Variables>(
    document: TypedDocument<Data, Variables>,
    ...variables: VariablesOf<Variables, [options?: GraphqlOptions]>
  ): Promise<GraphqlResult<Data>>;
  <Data>(
    query: UntypedDocument,
    variables?: Record<string, unknown>,
    options?: GraphqlOptions,
  ): Promise<GraphqlResult<Data>>;
}

/** The text that is sent. A TypedDocumentString is an object of the class String. */
export function textOf(document: string | object): string {
  if (typeof document === "string") return document;
  return "kind" in document ? printDocument(document) : (document as { toString: () => string }).toString();
}

/**
 * The result of a response or of a message of a live query: errors leave no data, since each request is one
 * transaction.
 */
export function resultOf<Data>(answer: unknown, status: number): GraphqlResult<Data> {
  const { data, errors } = (answer ?? {}) as { data?: Data | null; errors?: GraphqlErrorEntry[] };
  const [first] = errors ?? [];
  // Those of another server may have no extensions.
  const code = (first?.extensions as Partial<GraphqlErrorEntry["extensions"]> | null | undefined)?.code;
  if (errors && first && typeof code === "string") return { error: { code, message: first.message, errors } };
  if (!first && data !== undefined && data !== null) return { data };
  const message = `The response has the status ${status} and is not a GraphQL response.`;
  return { error: { code: "UNEXPECTED_RESPONSE", message, status } };
}

export const createGraphql =
  (send: Send): Graphql =>
  async <Data>(
    document: string | object,
    variables: unknown = {},
    { signal }: GraphqlOptions = {},
  ): Promise<GraphqlResult<Data>> => {
    const body = { query: textOf(document), variables };
    try {
      const answer = await send("/v1/graphql", { method: "POST", body, signal });
      return resultOf(answer.body, answer.status);
    } catch (cause) {
      return failureOf(cause, signal);
    }
  };
