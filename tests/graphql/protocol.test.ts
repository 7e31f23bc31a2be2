import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import { test } from "../../testing/graphql/graphql_fixtures.ts";
import { bearer } from "../../testing/service/rest_client.ts";

const json = "application/json";
const graphqlJson = "application/graphql-response+json";

const sessionIdOfNobody = "01a1fd64-8547-7d13-aaf9-07053d8928f3";

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
const get = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${url}?${new URLSearchParams(parameters).toString()}`, {
    headers: { accept: json, ...bearer(token), ...headers },
  });
const typename = JSON.stringify({ query: "{ __typename }" });

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

  test("what Accept names beyond a thousand characters does not count", async () => {
    const accept = `${json};q=0.1,${"a/b,".repeat(300)}${graphqlJson}`;
    expect((await send(typename, { accept })).headers.get("content-type")).toMatch(`${json};`);
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

describe("a request that is refused as a whole", () => {
  const hash = { version: 1, sha256Hash: "0".repeat(64) };
  const persistedQuery = JSON.stringify({ extensions: { persistedQuery: hash } });
  const wrongHash = JSON.stringify({ query: "{ __typename }", extensions: { persistedQuery: hash } });

  test.for<[string, number, string, string, Record<string, string>]>([
    ["a bad token", 401, "access-denied", typename, { authorization: "Bearer x" }],
    ["no token", 401, "access-denied", typename, { authorization: "" }],
    ["a foreign role", 400, "access-denied", typename, { "x-hasura-role": "editor" }],
    ["a batch", 400, "validation-failed", `[${typename}]`, {}],
    ["no query", 400, "validation-failed", "{}", {}],
    ["no JSON", 400, "validation-failed", "{", {}],
    ["another content type", 415, "validation-failed", typename, { "content-type": "text/plain" }],
    ["a long body", 413, "limit-exceeded", JSON.stringify({ query: " ".repeat(70_000) }), {}],
    ["a hash alone", 200, "PERSISTED_QUERY_NOT_FOUND", persistedQuery, {}],
    ["a hash of another document", 400, "validation-failed", wrongHash, {}],
  ])("for %s is %i %s in the media type that Accept prefers", async ([, status, code, body, headers]) => {
    for (const [accept, expected] of [
      [`${graphqlJson}, ${json};q=0.9`, graphqlJson],
      [`${graphqlJson};charset=utf-8, ${json};charset=utf-8`, graphqlJson],
      [json, json],
      ["*/*", json],
    ] as const) {
      const response = await send(body, { ...headers, accept });
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toBe(`${expected}; charset=utf-8`);
      expect(await response.json()).toEqual({
        errors: [{ message: expect.any(String) as string, extensions: { path: "$", code } }],
      });
    }
  });

  test("a hash alone is answered PersistedQueryNotFound until its document has come with it, by GET as well", async () => {
    const document = "{ persisted: __typename }";
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash("sha256").update(document).digest("hex") },
    };
    const alone = JSON.stringify({ extensions });
    const answer = async () => (await (await send(alone)).json()) as { errors: { message: string }[] };
    expect((await answer()).errors[0]?.message).toBe("PersistedQueryNotFound");
    const data = { data: { persisted: "query_root" } };
    expect(await (await send(JSON.stringify({ query: document, extensions }))).json()).toEqual(data);
    expect(await answer()).toEqual(data);
    const byGet = await get({ extensions: JSON.stringify(extensions) });
    expect(await byGet.json()).toEqual(data);
  });
});

describe("nothing that narrows a request is ignored", () => {
  const two = "query a { a: __typename } query b { b: __typename }";
  const declared = "query ($where: user_session_bool_exp) { user_session(where: $where) { id } }";

  test.for<[string, object, Record<string, string>, number]>([
    ["a media type that is not ours", { query: "{ __typename }" }, { accept: "text/html" }, 406],
    ["a character set that is not ours", { query: "{ __typename }" }, { accept: `${json};charset=utf-16` }, 406],
    ["an operation that the document has not", { query: two, operationName: "c" }, {}, 200],
    ["no operation of several", { query: two }, {}, 200],
    ["an empty name for several", { query: two, operationName: "" }, {}, 200],
    ["a misspelled variable", { query: declared, variables: { were: { id: { _eq: sessionIdOfNobody } } } }, {}, 200],
    ["a condition without a value", { query: declared, variables: { where: { id: {} } } }, {}, 200],
    ["a condition with null", { query: declared, variables: { where: { id: { _eq: null } } } }, {}, 200],
    ["a condition that the column lacks", { query: declared, variables: { where: { nothing: {} } } }, {}, 200],
    ["an unknown argument", { query: "{ user_session(were: {}) { id } }" }, {}, 200],
    ["an unknown directive", { query: "{ user_session @only { id } }" }, {}, 200],
    ["a negative limit", { query: "{ user_session(limit: -1) { id } }" }, {}, 200],
    ["variables as a list", { query: declared, variables: [] }, {}, 400],
    ["extensions as text", { query: declared, extensions: "x" }, {}, 400],
    ["a batch", [{ query: declared }], {}, 400],
  ])("%s is refused", async ([, body, headers, status]) => {
    const response = await send(JSON.stringify(body), headers);
    expect(response.status).toBe(status);
    const result = (await response.json()) as { errors: { extensions: unknown }[]; data?: unknown };
    expect(result.errors[0]?.extensions).toMatchObject({ code: "validation-failed" });
    expect(result.data ?? null).toBeNull();
  });

  test("an empty operationName is none, and null is as if left out", async () => {
    for (const operationName of ["", null]) {
      const body = { query: "query a { __typename }", operationName, variables: null, extensions: null };
      expect(await (await send(JSON.stringify(body))).json()).toEqual({ data: { __typename: "query_root" } });
    }
  });
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

  test("GET reads, with variables and an operation's name, and changes nothing", async () => {
    const query = "query a($id: uuid!) { user_session_by_pk(id: $id) { id } } query b { __typename }";
    const read = await get({ query, operationName: "a", variables: JSON.stringify({ id: sessionIdOfNobody }) });
    expect(read.headers.get("cache-control")).toBe("no-store");
    expect(await read.json()).toEqual({ data: { user_session_by_pk: null } });
    const changed = await get({ query: "mutation { revoke_other_sessions { id } }" });
    expect([changed.status, changed.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await get({ query: "{ __typename }" }, { authorization: "" })).status).toBe(401);
  });

  test.for([
    ["variables", "x"],
    ["variables", "[]"],
    ["extensions", "1"],
  ] as const)("GET with %s=%s is 400", async ([name, value]) => {
    expect((await get({ query: "{ __typename }", [name]: value })).status).toBe(400);
  });

  test("GET with a parameter twice, or without a query, is 400", async () => {
    for (const search of ["?query={a}&query={b}", "?query={__typename}&operationName=a&operationName=b", ""])
      expect((await fetch(url + search, { headers: bearer(token) })).status).toBe(400);
  });

  test("operationName selects the operation", async () => {
    const query = "query a { a: __typename } query b { b: __typename }";
    const response = await send(JSON.stringify({ query, operationName: "b" }));
    expect(await response.json()).toEqual({ data: { b: "query_root" } });
  });
});
