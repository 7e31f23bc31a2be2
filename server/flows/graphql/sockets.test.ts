import { createClient, type Client } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { bearer, tokensOf, type Tokens } from "../../../testing/client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { logIn, signUp, type Person } from "../../../testing/people.ts";
import { startService, type Service } from "../../../testing/service.ts";

let service: Service;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  service = await startService();
  [alice, bob] = [await signUp(service), await signUp(service)];
});
afterAll(() => service.stop());

const url = () => `${service.url.replace("http", "ws")}/v1/graphql`;
interface CloseEvent {
  code: number;
}

function connect(connectionParams: Record<string, unknown>): { client: Client; closed: Promise<CloseEvent> } {
  let resolve: (event: CloseEvent) => void;
  const closed = new Promise<CloseEvent>((done) => (resolve = done));
  const client = createClient({
    url: url(),
    webSocketImpl: WebSocket,
    connectionParams,
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => undefined,
    on: { closed: (event) => resolve(event as CloseEvent) },
  });
  return { client, closed };
}
const connectAs = ({ access_token }: Tokens) =>
  connect({ headers: { Authorization: `Bearer ${access_token}` } });

type Result = Record<string, { id: string; revoked_at: string | null }[]>;

/** Subscribes; returns the results received so far. */
function follow(client: Client, query: string): Result[] {
  const results: Result[] = [];
  client.subscribe<Result>(
    { query },
    { next: ({ data }) => data && results.push(data), error: () => undefined, complete: () => undefined },
  );
  return results;
}
const sessionsQuery = "subscription { user_session(order_by: [{created_at: desc}]) { id revoked_at } }";

describe("user_session is a live query of the user's sessions", () => {
  test("it sends the sessions at once and after each change, and no other user's sessions", async () => {
    const tokens = await logIn(service, alice);
    const { client } = connectAs(tokens);
    const results = follow(client, sessionsQuery);
    await eventually("the sessions are sent", () => results.length === 1);
    expect(results[0]?.user_session?.[0]).toEqual({ id: tokens.session_id, revoked_at: null });

    await logIn(service, bob);
    const second = await logIn(service, alice);
    await eventually(
      "another login is sent",
      () => results.at(-1)?.user_session?.[0]?.id === second.session_id,
    );
    await service.client.post("/auth/logout", undefined, bearer(second.access_token));
    await eventually("its revocation is sent", () => results.at(-1)?.user_session?.[0]?.revoked_at !== null);
    const ids = new Set(results.flatMap(({ user_session = [] }) => user_session.map(({ id }) => id)));
    const own = await service.database.query<{ id: string }>(
      `select s.id from "user".session s join "user".account a on a.id = s.user_id where a.phone = $1`,
      [alice.phone],
    );
    expect([...ids].every((id) => own.some((row) => row.id === id))).toBe(true);
    await client.dispose();
  });

  test("user_session_by_pk is a live query of one session", async () => {
    const [watched, other] = [await logIn(service, alice), await logIn(service, alice)];
    const { client } = connectAs(other);
    const results = follow(
      client,
      `subscription { user_session_by_pk(id: "${watched.session_id}") { id revoked_at } }`,
    );
    await eventually("it is sent", () => results.length === 1);
    await service.client.post("/auth/logout", undefined, bearer(watched.access_token));
    await eventually("its revocation is sent", () => results.length === 2);
    await client.dispose();
  });
});

describe("a socket is closed with its session", () => {
  test("a revoked session's socket is closed with 4401", async () => {
    const tokens = await logIn(service, alice);
    const { client, closed } = connectAs(tokens);
    const results = follow(client, sessionsQuery);
    await eventually("it is open", () => results.length === 1);
    await service.client.post("/auth/logout", undefined, bearer(tokens.access_token));
    expect((await closed).code).toBe(4401);
  });

  test("a reset closes every socket of the user", async () => {
    const { client, closed } = connectAs(await logIn(service, bob));
    const results = follow(client, sessionsQuery);
    await eventually("it is open", () => results.length === 1);
    await service.database.query(
      `select private.revoke_sessions_of_user(id) from "user".account where phone = $1`,
      [bob.phone],
    );
    expect((await closed).code).toBe(4401);
  });

  test("an expired access token closes its socket with 4401", async () => {
    await service.set("ACCESS_TOKEN_TTL_SECONDS", 2);
    const { closed } = connectAs(tokensOf(await service.client.post("/auth/session/guest")));
    await service.set("ACCESS_TOKEN_TTL_SECONDS", 3600);
    expect((await closed).code).toBe(4401);
  });

  test("after a loss of the listening connection, each socket is authorized again", async () => {
    const tokens = await logIn(service, alice);
    const { client, closed } = connectAs(tokens);
    const results = follow(client, sessionsQuery);
    await eventually("it is open", () => results.length === 1);
    // A revocation whose notification is lost.
    await service.database.query(`alter table "user".session disable trigger notify_session_revoked`);
    await service.client.post("/auth/logout", undefined, bearer(tokens.access_token));
    await service.database.query(`alter table "user".session enable trigger notify_session_revoked`);
    await service.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey listener' and datname = current_database()",
    );
    expect((await closed).code).toBe(4401);
  });
});

describe("a socket is refused", () => {
  test.each([
    ["no credentials", {}],
    ["a malformed token", { headers: { Authorization: "Bearer x" } }],
    ["a wrong admin secret", { headers: { "x-hasura-admin-secret": "a guess" } }],
  ])("with %s: it is closed with 4403", async (_credentials, params) => {
    expect((await connect(params).closed).code).toBe(4403);
  });

  test("without connection_init: it is closed with 4408", async () => {
    const socket = new WebSocket(url(), "graphql-transport-ws");
    expect(await new Promise((resolve) => socket.once("close", resolve))).toBe(4408);
  });

  test("with a message of more than 64 KiB: it is closed with 1009", async () => {
    const socket = new WebSocket(url(), "graphql-transport-ws");
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send(JSON.stringify({ type: "connection_init", payload: { x: "x".repeat(70_000) } }));
    expect(await new Promise((resolve) => socket.once("close", resolve))).toBe(1009);
  });

  test("on another path: the handshake is 404", async () => {
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/other`);
    expect(await new Promise((resolve) => socket.once("error", (error) => resolve(error.message)))).toMatch(
      /404/,
    );
  });
});

test("queries have the same results and errors on a socket as over HTTP", async () => {
  const { client } = connectAs(await logIn(service, alice));
  const ask = (query: string) =>
    new Promise((resolve) => {
      let last: unknown;
      client.subscribe(
        { query },
        { next: (value) => (last = value), error: resolve, complete: () => resolve(last) },
      );
    });
  expect(await ask("{ user_account { phone } }")).toEqual({
    data: { user_account: [{ phone: alice.phone }] },
  });
  expect(await ask("{ user_account { password_hash } }")).toMatchObject([
    { extensions: { code: "validation-failed" } },
  ]);
  expect(await ask("subscription { a: user_session { id } b: user_session { id } }")).toMatchObject([
    { message: expect.any(String) as string },
  ]);
  await client.dispose();
});
