export interface GraphqlAnswer {
  status: number;
  headers: Headers;
  body: GraphqlBody;
  data: Record<string, unknown> | null | undefined;
  /** The code of the first error, or undefined for a success. */
  code: string | undefined;
  message: string | undefined;
}

export interface GraphqlBody {
  data?: Record<string, unknown> | null;
  errors?: { message: string; path?: unknown; extensions: { code: string } }[];
}

/** Asks as somebody: the headers say who. */
export type Ask = (query: string, variables?: Record<string, unknown>) => Promise<GraphqlAnswer>;

/** A client as Hasura's know their server: JSON there, JSON back. */
export const askGraphql =
  (baseUrl: string, headers: Record<string, string> = {}): Ask =>
  (query, variables) =>
    postGraphql(baseUrl, JSON.stringify({ query, variables }), headers);

/** Any body, to see what becomes of it. */
export async function postGraphql(
  baseUrl: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<GraphqlAnswer> {
  const response = await fetch(`${baseUrl}/v1/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body,
  });
  const answered = (await response.json()) as GraphqlBody;
  const [error] = answered.errors ?? [];
  return {
    status: response.status,
    headers: response.headers,
    body: answered,
    data: answered.data,
    code: error?.extensions.code,
    message: error?.message,
  };
}
