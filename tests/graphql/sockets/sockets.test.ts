import { describe, expect } from "vitest";
import { WebSocket } from "ws";
import { bearer } from "../../../testing/service/rest_client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { logIn } from "../../../testing/service/people.ts";
import { follow, sessionsQuery, test } from "../fixtures/live_fixtures.ts";

describe("a socket is closed with its session", () => {
  test("a revoked session's socket is closed with 4401", async ({ service, client, alice, connectAs }) => {
    const tokens = await logIn(service, alice);
    const { socket, closed } = connectAs(tokens);
    const results = follow(socket, sessionsQuery);
    await eventually("it is open", () => results.length === 1);
    await client.post("/auth/logout", undefined, bearer(tokens.access_token));
    expect((await closed).code).toBe(4401);
  });

  test("a promoted guest's socket is closed with 4401", async ({ client, alice, newGuest, connectAs }) => {
    const guest = await newGuest();
    const { socket, closed } = connectAs(guest);
    const results = follow(socket, sessionsQuery);
    await eventually("it is open", () => results.length === 1);
    expect((await client.post("/auth/login", alice, bearer(guest.access_token))).status).toBe(200);
    expect((await closed).code).toBe(4401);
  });

  test("a reset closes every socket of the user", async ({ service, database, bob, connectAs }) => {
    const { socket, closed } = connectAs(await logIn(service, bob));
    const results = follow(socket, sessionsQuery);
    await eventually("it is open", () => results.length === 1);
    await database.query(`select private.revoke_sessions_of_user(id) from "user".account where phone = $1`, [
      bob.phone,
    ]);
    expect((await closed).code).toBe(4401);
  });

  test("an expired access token closes its socket with 4401", async ({ service, newGuest, connectAs }) => {
    const closeWithShortToken = async (seconds: number) => {
      await service.set("ACCESS_TOKEN_TTL_SECONDS", seconds);
      const guest = await newGuest();
      await service.set("ACCESS_TOKEN_TTL_SECONDS", 3600);
      return (await connectAs(guest).closed).code;
    };
    let seconds = 2;
    let code = await closeWithShortToken(seconds);
    // On a busy machine the token may end before the socket is open: then the socket is refused.
    while (code === 4403 && seconds < 32) code = await closeWithShortToken((seconds *= 2));
    expect(code).toBe(4401);
  });

  test("after a loss of the listening connection, each socket is authorized again", async ({
    service,
    database,
    client,
    alice,
    connectAs,
  }) => {
    const tokens = await logIn(service, alice);
    const { socket, closed } = connectAs(tokens);
    const results = follow(socket, sessionsQuery);
    await eventually("it is open", () => results.length === 1);
    // A revocation whose notification is lost.
    await database.query(`alter table "user".session disable trigger notify_session_revoked`);
    await client.post("/auth/logout", undefined, bearer(tokens.access_token));
    await database.query(`alter table "user".session enable trigger notify_session_revoked`);
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey listener' and datname = current_database()",
    );
    expect((await closed).code).toBe(4401);
  });
});

describe("a socket is refused", () => {
  test.for<[string, Record<string, unknown>]>([
    ["no credentials", {}],
    ["a malformed token", { headers: { Authorization: "Bearer x" } }],
    ["a wrong admin secret", { headers: { "x-hasura-admin-secret": "a guess" } }],
  ])("with %s: it is closed with 4403", async ([_credentials, params], { connect }) => {
    expect((await connect(params).closed).code).toBe(4403);
  });

  test("with two different tokens: it is closed with 4403, and with the same one twice it is not", async ({
    newGuest,
    connect,
  }) => {
    const [{ authorization: one }, { authorization: other }] = [
      bearer((await newGuest()).access_token),
      bearer((await newGuest()).access_token),
    ];
    for (const params of [
      { Authorization: one, headers: { Authorization: other } },
      { headers: { Authorization: one, authorization: other } },
    ])
      expect((await connect(params).closed).code).toBe(4403);
    const { socket } = connect({ Authorization: one, headers: { authorization: one } });
    const results = follow(socket, sessionsQuery);
    await eventually("it is open", () => results.length === 1);
  });

  test("without connection_init: it is closed with 4408", async ({ socketUrl }) => {
    const socket = new WebSocket(socketUrl, "graphql-transport-ws");
    expect(await new Promise((resolve) => socket.once("close", resolve))).toBe(4408);
  });

  test("with a message of more than 64 KiB: it is closed with 1009", async ({ socketUrl }) => {
    const socket = new WebSocket(socketUrl, "graphql-transport-ws");
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send(JSON.stringify({ type: "connection_init", payload: { x: "x".repeat(70_000) } }));
    expect(await new Promise((resolve) => socket.once("close", resolve))).toBe(1009);
  });

  test("on another path: the handshake is 404", async ({ service }) => {
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/other`);
    expect(await new Promise((resolve) => socket.once("error", (error) => resolve(error.message)))).toMatch(/404/);
  });
});
