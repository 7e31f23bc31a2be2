import { expect } from "vitest";
import { WebSocket } from "ws";
import { graphqlConfig } from "../../config/config.ts";
import { documentSection } from "../../testing/documents/document_blocks.ts";
import { postGraphql } from "../../testing/graphql/graphql_client.ts";
import { logIn } from "../../testing/service/people.ts";
import type { Tokens } from "../../testing/service/rest_client.ts";
import { test as baseTest } from "./fixtures/live_fixtures.ts";

const section = "What clients of Hasura send";
/** The table as lines of "sent → result". */
const documented = documentSection("docs/graphql.md", section)
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(2)
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, sent = "", result = ""]) => [sent, result] as const);

type Headers = Record<string, string>;
interface Caller {
  user: Tokens;
  other: Tokens;
  secret: string;
  url: string;
}
/** What a request, or a socket, got: a status and code, "honoured" or "no effect" for a success. */
type Probe = (caller: Caller) => Promise<string[]>;

const query = "{ user_session { id } }";

/** Results of requests of the user; `headers` come beside the token, and undefined takes one away. */
const ask =
  (success: string, ...requests: { headers?: Record<string, string | undefined>; body?: unknown }[]): Probe =>
  ({ url, user }) =>
    Promise.all(
      requests.map(async ({ headers = {}, body = { query } }) => {
        const all = { authorization: `Bearer ${user.access_token}`, ...headers };
        const sent = JSON.parse(JSON.stringify(all)) as Headers;
        const { status, code } = await postGraphql(url, JSON.stringify(body), sent);
        if (code === undefined) return success;
        if (status === 200) return `\`${code}\``;
        return code === "validation-failed" ? String(status) : `${status} \`${code}\``;
      }),
    );
const documents = (success: string, ...texts: string[]): Probe =>
  ask(success, ...texts.map((text) => ({ body: { query: text } })));

/** How a socket ends whose payload and upgrade are these. */
const connect = async (url: string, payload: object, headers: Headers = {}): Promise<string> => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/graphql`, "graphql-transport-ws", { headers });
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.on("open", () => socket.send(JSON.stringify({ type: "connection_init", payload })));
      socket.on("message", () => resolve("accepted"));
      socket.on("close", (code) => resolve(`closed, ${code}`));
      socket.on("error", reject);
    });
  } finally {
    socket.terminate();
  }
};
const two = "query one { user_session { id } } query two { user_account { id } }";
const declared = "query ($id: uuid!) { user_session_by_pk(id: $id) { id } }";

const probes: Record<string, Probe> = {
  "`X-Hasura-Role`, `-User-Id`, `-Session-Id`: one's own": (caller) =>
    ask(
      "honoured",
      { headers: { "x-hasura-role": "user" } },
      { headers: { "x-hasura-session-id": caller.user.session_id } },
      { headers: { "x-hasura-role": "user", "x-hasura-user-id": userOf(caller.user) } },
    )(caller),
  "the same: another role, another's id, an empty one": (caller) =>
    ask(
      "honoured",
      { headers: { "x-hasura-role": "admin" } },
      { headers: { "x-hasura-role": "" } },
      { headers: { "x-hasura-session-id": caller.other.session_id } },
      { headers: { "x-hasura-user-id": userOf(caller.other) } },
    )(caller),
  "any other `X-Hasura-…`, also with the admin secret": (caller) =>
    ask(
      "honoured",
      { headers: { "x-hasura-org-id": "1" } },
      { headers: { "x-hasura-use-backend-only-permissions": "true" } },
      { headers: { "x-hasura-admin-secret": caller.secret, "x-hasura-org-id": "1" } },
    )(caller),
  "the admin secret, wrong, beside a good token": ask("honoured", { headers: { "x-hasura-admin-secret": "wrong" } }),
  async "two `Authorization` headers"({ url, user, other }) {
    const headers = new Headers({ "content-type": "application/json" });
    for (const { access_token } of [user, other]) headers.append("authorization", `Bearer ${access_token}`);
    const answer = await fetch(`${url}/v1/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
    const { errors } = (await answer.json()) as { errors?: { extensions: { code: string } }[] };
    return [`${answer.status} \`${errors?.[0]?.extensions.code}\``];
  },
  "a `Cookie` instead of a token": (caller) =>
    ask("honoured", { headers: { authorization: undefined, cookie: `token=${caller.user.access_token}` } })(caller),
  "`Hasura-Client-Name`, `Apollographql-Client-Name`": ask("no effect", {
    headers: { "hasura-client-name": "hasura-console", "apollographql-client-name": "web" },
  }),
  "`operationName` of one of two operations": ask("honoured", { body: { query: two, operationName: "two" } }),
  "`operationName` of none of them": ask("honoured", { body: { query: two, operationName: "three" } }),
  '`operationName`: `""`': ask("as if left out", { body: { query, operationName: "" } }),
  "a variable that the operation does not declare": ask("honoured", { body: { query, variables: { where: {} } } }),
  "a variable that is declared and missing": ask("honoured", { body: { query: declared } }),
  "`documentId`, `id` or `doc_id` instead of `query`": ask(
    "honoured",
    ...["documentId", "id", "doc_id"].map((name) => ({ body: { [name]: "sha256:00" } })),
  ),
  "a list of requests": ask("honoured", { body: [{ query }] }),
  "`@include`, `@skip`": documents(
    "honoured",
    "{ user_session @include(if: true) { id } }",
    "{ user_session { id role @skip(if: true) } }",
  ),
  "`@cached`, `@defer`, `@stream`, any other directive": documents(
    "honoured",
    "query @cached { user_session { id } }",
    "{ user_session { ... @defer { id } } }",
    "{ user_session @stream { id } }",
    "{ user_session @mine { id } }",
  ),
  "an argument that the field does not have": documents("honoured", "{ user_session(first: 1) { id } }"),
  "`where: {id: {_eq: null}}`": documents("honoured", "{ user_session(where: { id: { _eq: null } }) { id } }"),
  "`where: {id: {}}`": documents("honoured", "{ user_session(where: { id: {} }) { id } }"),
  "`where: null`, `limit: null`, `order_by: null`": documents(
    "as if left out",
    ...["where", "limit", "order_by"].map((name) => `{ user_session(${name}: null) { id } }`),
  ),
  "a negative `limit` or `offset`": documents(
    "honoured",
    "{ user_session(limit: -1) { id } }",
    "{ user_session(offset: -1) { id } }",
  ),
  "a socket's payload: `X-Hasura-…` that is not one's own": async ({ url, user }) => {
    const Authorization = `Bearer ${user.access_token}`;
    return Promise.all([
      connect(url, { headers: { Authorization, "X-Hasura-Role": "admin" } }),
      connect(url, { headers: { Authorization }, "x-hasura-org-id": 1 }),
    ]);
  },
  "the same in the headers of the upgrade": async ({ url, user }) => [
    await connect(url, { Authorization: `Bearer ${user.access_token}` }, { "x-hasura-role": "guest" }),
  ],
  "a socket's payload with two different tokens": async ({ url, user, other }) => [
    await connect(url, {
      Authorization: `Bearer ${user.access_token}`,
      headers: { Authorization: `Bearer ${other.access_token}` },
    }),
  ],
  "the protocol `graphql-ws` of old clients": async ({ url }) => [
    await new Promise<string>((resolve) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/v1/graphql`, "graphql-ws");
      socket.on("open", () => resolve("accepted"));
      socket.on("error", () => resolve("the upgrade is refused"));
    }),
  ],
};

const userOf = ({ access_token }: Tokens): string =>
  (JSON.parse(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString()) as { sub: string }).sub;

const test = baseTest.extend(
  "people",
  { scope: "file" },
  async ({ service, database, alice, bob }): Promise<Caller> => ({
    user: await logIn(service, alice),
    other: await logIn(service, bob),
    secret: graphqlConfig(database.env).ADMIN_SECRET!,
    url: service.url,
  }),
);

test("docs/graphql.md lists what is tried here, and nothing else", () => {
  expect(documented.map(([sent]) => sent)).toEqual(Object.keys(probes));
});

test.for(documented)("%s: %s", async ([sent, result], { people }) => {
  const results = (await probes[sent]?.(people)) ?? [];
  expect(results.length).toBeGreaterThan(0);
  expect(results).toEqual(results.map(() => result));
});
