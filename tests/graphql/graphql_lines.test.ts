import { createClient } from "graphql-ws";
import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { adminOf, graphqlSocketUrl } from "../../testing/graphql/graphql_client.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { info, test as baseTest, withId } from "../fixtures/request_line_fixtures.ts";

const graphqlPath = "/v1/graphql";

const test = baseTest.extend(
  "graphql",
  ({ service }) =>
    async (id: string, query: string, headers: Record<string, string> = {}): Promise<void> => {
      await fetch(service.url + graphqlPath, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers, ...withId(id) },
        body: JSON.stringify({ query }),
      }).then((response) => response.text());
    },
);

test("a GraphQL request's line has operation, type, user and session", async ({ logIn, graphql, lineOf }) => {
  const { session_id, access_token } = await logIn("for-graphql");
  await graphql("query", "query Mine { user_session { id } }", bearer(access_token));
  const line = await lineOf("query", graphqlPath);
  expect(line).toMatchObject({
    level: info,
    route: "/v1/graphql",
    client: "127.0.0.1",
    sessionId: session_id,
    userId: expect.any(String) as string,
    operation: "Mine",
    operationType: "query",
  });
  expect(line).not.toHaveProperty("errorCode");
});

test("a GraphQL request that is refused has its code, and its operation where there is one", async ({
  database,
  graphql,
  lineOf,
}) => {
  const admin = adminOf(database);
  await graphql("wrong", `mutation ${"W".repeat(100)} { nothing_of_the_kind }`, admin);
  const wrong = { level: info, errorCode: "validation-failed", operationType: "mutation" };
  expect(await lineOf("wrong", graphqlPath)).toMatchObject({ ...wrong, operation: "W".repeat(64) });
  expect(await lineOf("wrong", graphqlPath)).not.toHaveProperty("sessionId");
  await graphql("anonymous", "{ user_session { id } }");
  expect(await lineOf("anonymous", graphqlPath)).toMatchObject({ errorCode: "access-denied", status: 401 });
});

test("the line of an admin's mutation names the admin", async ({ database, graphql, logIn, lineOf }) => {
  const admin = adminOf(database);
  await graphql("admin", "mutation { __typename }", admin);
  expect(await lineOf("admin", graphqlPath)).toMatchObject({ actor: "admin", operationType: "mutation" });
  const { access_token } = await logIn("no-admin");
  await graphql("user", "{ user_session { id } }", bearer(access_token));
  expect(await lineOf("user", graphqlPath)).not.toHaveProperty("actor");
});

test("a mutation over a socket has a line of its own, which names the admin", async ({ service, database, lines }) => {
  const socket = createClient({
    url: graphqlSocketUrl(service.url),
    connectionParams: { headers: adminOf(database) },
  });
  const query = "mutation OverSocket { __typename }";
  for await (const { data } of socket.iterate({ query })) expect(data).toHaveProperty("__typename");
  await eventually("the operation's line", () => lines.some(({ operation }) => operation === "OverSocket"));
  const line = lines.find(({ operation }) => operation === "OverSocket");
  expect(line).toMatchObject({ level: info, msg: "operation", actor: "admin", operationType: "mutation" });
  expect(line).toMatchObject({ client: "127.0.0.1", ms: expect.any(Number) as number });
  await socket.dispose();
});
