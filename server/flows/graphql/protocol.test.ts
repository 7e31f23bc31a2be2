import { serverAudits } from "graphql-http";
import { describe, expect } from "vitest";
import { test } from "../../../testing/graphql_fixtures.ts";
import { bearer } from "../../../testing/rest_client.ts";

// One of the audits sends its variables with an introspection query.
test.override("serviceOptions", { worker: false, env: { GRAPHQL_INTROSPECTION: "on" } });

const json = "application/json";
const graphqlJson = "application/graphql-response+json";

let url: string;
let token: string;
test.beforeAll(({ service, guestTokens }) => {
  url = `${service.url}/v1/graphql`;
  token = guestTokens.access_token;
});

const send = (body: string | undefined, headers: Record<string, string> = {}, method = "POST") =>
  fetch(url, {
    method,
    headers: { "content-type": json, ...bearer(token), ...headers },
    ...(body !== undefined && { body }),
  });
const typename = JSON.stringify({ query: "{ __typename }" });

const audits = serverAudits({
  url: () => url,
  fetchFn: (input: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  },
});
const levelOf = (name: string): string => name.split(" ", 1)[0] ?? "";

describe("the audits of graphql-http", () => {
  test.each(audits.filter(({ name }) => levelOf(name) === "MUST"))("$name", async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: "ok" });
  });

  test("graphql-http has MUST audits", () => {
    expect(audits.filter(({ name }) => levelOf(name) === "MUST").length).toBeGreaterThan(10);
  });
});

describe("media types", () => {
  test.each([
    [undefined, json],
    ["*/*", json],
    [json, json],
    [graphqlJson, graphqlJson],
    [`${json}; charset=utf-8`, json],
    [`${graphqlJson};charset=UTF-8`, graphqlJson],
    [`${graphqlJson}, ${json};q=0.9`, graphqlJson],
    [`text/html, ${json};q=0.5`, json],
  ])("the response to Accept: %s is %s", async (accept, expected) => {
    const response = await send(typename, accept === undefined ? {} : { accept });
    expect(response.headers.get("content-type")).toBe(`${expected}; charset=utf-8`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ data: { __typename: "query_root" } });
  });

  test("an Accept header that allows neither is 406", async () => {
    expect((await send(typename, { accept: "text/html" })).status).toBe(406);
  });

  test("an invalid document is 400 for clients that accept graphql-response+json, and 200 for others", async () => {
    const invalid = JSON.stringify({ query: "{ nothing }" });
    expect((await send(invalid, { accept: graphqlJson })).status).toBe(400);
    const plain = await send(invalid, { accept: json });
    expect(plain.status).toBe(200);
    expect(await plain.json()).not.toHaveProperty("data");
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "a body of type %s, which needs no CORS preflight, is 415",
    async (type) => {
      expect((await send(typename, { "content-type": type })).status).toBe(415);
    },
  );
});

describe("an invalid request", () => {
  test.each([
    ["no JSON", "{"],
    ["a string", '"x"'],
    ["null", "null"],
    ["a number", "1"],
    ["no query", "{}"],
    ["a number as query", '{"query":1}'],
    ["variables as text", '{"query":"{ __typename }","variables":"{}"}'],
    ["variables as a list", '{"query":"{ __typename }","variables":[]}'],
    ["an object as operationName", '{"query":"{ __typename }","operationName":{}}'],
    ["extensions as a list", '{"query":"{ __typename }","extensions":[]}'],
    ["a batch", `[${typename}]`],
    ["an empty body", ""],
  ])("%s is 400", async (_name, body) => {
    const response = await send(body);
    expect(response.status).toBe(400);
    const result = (await response.json()) as { errors: { extensions: unknown }[] };
    expect(result.errors[0]?.extensions).toMatchObject({ code: "validation-failed" });
    expect(result).not.toHaveProperty("data");
  });

  test("GET is 405", async () => {
    const response = await fetch(`${url}?query={__typename}`, { headers: bearer(token) });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
  });

  test("operationName selects the operation", async () => {
    const query = "query a { a: __typename } query b { b: __typename }";
    const response = await send(JSON.stringify({ query, operationName: "b" }));
    expect(await response.json()).toEqual({ data: { b: "query_root" } });
  });
});
