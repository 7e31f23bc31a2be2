import { graphqlConfig } from "../../config/config.ts";
import type { TestDatabase } from "../postgres/test_database.ts";

export interface GraphqlAnswer {
  status: number;
  headers: Headers;
  body: GraphqlBody;
  data: Record<string, unknown> | null | undefined;
  /** The first error's code; undefined for a success. */
  code: string | undefined;
  message: string | undefined;
}

export interface GraphqlBody {
  data?: Record<string, unknown> | null;
  errors?: { message: string; path?: unknown; extensions: { code: string } }[];
}

/** The headers of the admin of the services with this database. */
export const adminOf = ({ env }: Pick<TestDatabase, "env">) => ({ "x-admin-secret": graphqlConfig(env).ADMIN_SECRET! });

/** Sends a query over HTTP with the headers of one caller. */
export type Ask = (query: string, variables?: Record<string, unknown>) => Promise<GraphqlAnswer>;

/** Creates a function that sends queries as Hasura's clients do, with these headers in every request. */
export const askGraphql =
  (baseUrl: string, headers: Record<string, string> = {}): Ask =>
  (query, variables) =>
    postGraphql(baseUrl, JSON.stringify({ query, variables }), headers);

/** POSTs a body that may be invalid to /v1/graphql. */
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
  const parsed = (await response.json()) as GraphqlBody;
  const [error] = parsed.errors ?? [];
  return {
    status: response.status,
    headers: response.headers,
    body: parsed,
    data: parsed.data,
    code: error?.extensions.code,
    message: error?.message,
  };
}

/** URL of the sockets of the server with this base URL. */
export const graphqlSocketUrl = (baseUrl: string): string => `${baseUrl.replace("http", "ws")}/v1/graphql`;
