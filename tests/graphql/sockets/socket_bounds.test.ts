import { expect, onTestFinished } from "vitest";
import { bearer } from "../../../testing/service/rest_client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { openRawWebSocket } from "../../../testing/graphql/raw_websocket.ts";
import { logIn, signUp } from "../../../testing/service/people.ts";
import { ids, test as baseTest } from "../fixtures/socket_fixtures.ts";

const test = baseTest
  // signUp needs a worker.
  .extend("serviceOptions", { scope: "file" }, () => ({}))
  /**
   * The document is planned: on a busy machine fifty subscriptions could wait for that longer than the server allows.
   */
  .extend("planned", { auto: true }, async ({ newGuest, open }) => {
    const { subscribe, messagesOf } = await open(await newGuest());
    subscribe("first");
    await eventually("it is answered", () => messagesOf("first").length > 0);
    expect(messagesOf("first")).toMatchObject([{ type: "next" }]);
  });

test("a session may have ten sockets; the eleventh is closed with 4403 until another one is closed", async ({
  newGuest,
  open,
}) => {
  const [session, other] = [await newGuest(), await newGuest()];
  const sockets = await Promise.all(ids(10).map(() => open(session)));
  expect(sockets.map(({ closeCode }) => closeCode())).toEqual(Array(10).fill(undefined));
  expect((await open(session)).closeCode()).toBe(4403);
  expect((await open(other)).closeCode()).toBeUndefined();
  sockets[0]?.socket.terminate();
  await eventually("there is room again", async () => (await open(session)).closeCode() === undefined);
});

test("a session may have 50 subscriptions on all its sockets; the next is refused until one is complete", async ({
  newGuest,
  open,
}) => {
  const session = await newGuest();
  const [one, two] = [await open(session), await open(session)];
  for (const id of ids(30)) one.subscribe(id);
  await eventually("30 are answered", () => ids(30).every((id) => one.messagesOf(id).length > 0));
  for (const id of ids(25)) two.subscribe(id);
  await eventually("25 are answered", () => ids(25).every((id) => two.messagesOf(id).length > 0));
  const refused = ids(25).flatMap((id) => two.messagesOf(id).filter(({ type }) => type === "error"));
  expect(refused).toHaveLength(5);
  expect(refused[0]?.payload).toMatchObject([{ extensions: { code: "limit-exceeded" } }]);
  one.complete("0");
  let attempt = 100;
  await eventually("there is room again", async () => {
    const id = String(attempt++);
    two.subscribe(id);
    await eventually("it is answered", () => two.messagesOf(id).length > 0);
    return two.messagesOf(id)[0]?.type === "next";
  });
});

test("messages that arrive together start no more than 50 subscriptions", async ({ newGuest, open }) => {
  const { socket, received } = await open(await newGuest());
  // One packet, so that the server reads all before it executes the first.
  const raw = (socket as unknown as { _socket: { cork: () => void; uncork: () => void } })._socket;
  raw.cork();
  for (const id of ids(200))
    socket.send(JSON.stringify({ id, type: "subscribe", payload: { query: "subscription { user_session { id } }" } }));
  raw.uncork();
  await eventually("all are answered", () => new Set(received.map(({ id }) => id)).size > 200);
  expect(received.filter(({ type }) => type === "next")).toHaveLength(50);
  expect(received.filter(({ type }) => type === "error")).toHaveLength(150);
});

test("a subscription may have at most 8 KiB; a query may have as much as over HTTP", async ({ newGuest, open }) => {
  const { subscribe, messagesOf } = await open(await newGuest());
  const pad = (operationType: string, length: number) =>
    `${operationType} { user_session { id } } #${"x".repeat(length)}`;
  subscribe("long", pad("subscription", 8_192));
  subscribe("short", pad("subscription", 8_000));
  subscribe("query", pad("query", 60_000));
  await eventually("all are answered", () => ["long", "short", "query"].every((id) => messagesOf(id).length > 0));
  expect(messagesOf("long")).toMatchObject([{ type: "error", payload: [{ extensions: { code: "limit-exceeded" } }] }]);
  expect(messagesOf("short")).toMatchObject([{ type: "next" }]);
  expect(messagesOf("query")[0]).toMatchObject({ type: "next" });
});

test("a client that ignores the close frame after its session was revoked can execute no mutation", async ({
  service,
  client,
  socketUrl,
}) => {
  const person = await signUp(service);
  const [revoked, other] = [await logIn(service, person), await logIn(service, person)];
  const raw = await openRawWebSocket(socketUrl);
  onTestFinished(() => void raw.socket.destroy());
  await raw.send("text", JSON.stringify({ type: "connection_init", payload: bearer(revoked.access_token) }));
  let received = "";
  raw.socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1"))).resume();
  await eventually("it is authorized", () => received.includes("connection_ack"));
  await client.post("/auth/logout", undefined, bearer(revoked.access_token));
  await eventually("it receives the close frame", () => received.includes("Revoked or expired"));
  const query = `mutation { revoke_session(id: "${other.session_id}") { id } }`;
  await raw.send("text", JSON.stringify({ id: "1", type: "subscribe", payload: { query } }));
  // The server waits two seconds for the client's close frame.
  await raw.closed;
  expect((await client.refresh(other.refresh_token)).status).toBe(200);
});
