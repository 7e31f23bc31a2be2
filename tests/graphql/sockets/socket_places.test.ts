import { expect, onTestFinished } from "vitest";
import { bearer } from "../../../testing/service/rest_client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { openRawWebSocket } from "../../../testing/graphql/raw_websocket.ts";
import { logIn, signUp } from "../../../testing/service/people.ts";
import { test as baseTest } from "../fixtures/socket_fixtures.ts";

const test = baseTest
  // signUp needs a worker. Twenty places, sixteen of them open to guests, as in production where each is a thousand
  // times as many.
  .extend("serviceOptions", { scope: "file" }, () => ({
    sockets: { perAddress: 8, total: 20, guests: 16, perUser: 6 },
  }))
  /** Opens sockets of a new guest each from an address. They leave before the next test. */
  .extend("openFrom", ({ newGuest, open }, { onCleanup }) => {
    const all: Awaited<ReturnType<typeof open>>[] = [];
    onCleanup(async () => {
      for (const { socket } of all) socket.close();
      await eventually("all are closed", () => all.every(({ closeCode }) => closeCode() !== undefined));
    });
    return async (address: string, count: number) => {
      const sockets: typeof all = [];
      while (sockets.length < count) sockets.push(await open(await newGuest(), { "x-forwarded-for": address }));
      all.push(...sockets);
      return sockets;
    };
  })
  .extend("user", async ({ service }) => logIn(service, await signUp(service)));

type Sockets = { closeCode: () => number | undefined }[];
const openOf = (sockets: Sockets) => sockets.filter(({ closeCode }) => closeCode() === undefined).length;

test("an address may have so many authorized sockets; the newest beyond them is closed with 1013, until another one is closed", async ({
  openFrom,
}) => {
  const sockets = await openFrom("192.0.2.1", 8);
  const [rejected] = await openFrom("192.0.2.1", 1);
  await eventually("it is closed", () => rejected?.closeCode() !== undefined);
  expect(rejected?.closeCode()).toBe(1013);
  const [other] = await openFrom("192.0.2.2", 1);
  expect([openOf(sockets), other?.closeCode()]).toEqual([8, undefined]);
  sockets[0]?.socket.close();
  await eventually("there is room again", async () => openOf(await openFrom("192.0.2.1", 1)) === 1);
});

test("guests of a few addresses that take all their places lose some to other guests, and none to keep users out", async ({
  openFrom,
  open,
  user,
}) => {
  const hostile = [
    ...(await openFrom("192.0.2.1", 8)),
    ...(await openFrom("192.0.2.2", 8)),
    ...(await openFrom("192.0.2.5", 4)),
  ];
  await eventually("guests have their places and no more", () => openOf(hostile) === 16);
  const users: Awaited<ReturnType<typeof open>>[] = [];
  while (users.length < 4) users.push(await open(user, { "x-forwarded-for": "192.0.2.3" }));
  expect([openOf(users), openOf(hostile)]).toEqual([4, 16]);
  // The house is full: another guest, and another user, each takes the place of a guest of the addresses that hold
  // most.
  const [guest] = await openFrom("192.0.2.4", 1);
  users.push(await open(user, { "x-forwarded-for": "192.0.2.3" }));
  await eventually("two are evicted", () => openOf(hostile) === 14);
  expect(new Set(hostile.map(({ closeCode }) => closeCode()))).toEqual(new Set([undefined, 1013]));
  expect([openOf(users), guest?.closeCode()]).toEqual([5, undefined]);
  users[4]?.subscribe("1");
  await eventually("it is answered", () => users[4]?.messagesOf("1").length === 1);
});

test("guests of a /48 with a network each end no socket that came first, and none of theirs keeps another guest out", async ({
  openFrom,
}) => {
  const first = await openFrom("198.51.100.7", 1);
  const hostile: Awaited<ReturnType<typeof openFrom>> = [];
  for (let part = 1; part <= 17; part++) hostile.push(...(await openFrom(`2001:db8:1:${part}::1`, 1)));
  await eventually("guests have their places and no more", () => openOf(hostile) === 15);
  const other = await openFrom("198.51.100.8", 1);
  await eventually("it took a place of theirs", () => openOf(hostile) === 14);
  expect([openOf(first), openOf(other)]).toEqual([1, 1]);
});

test("a user has so many sockets, from whatever addresses and sessions, and ends no other user's", async ({
  openFrom,
  open,
  service,
  user,
}) => {
  const person = await signUp(service);
  await openFrom("192.0.2.30", 8);
  await openFrom("192.0.2.31", 8);
  const honest = [await open(user, { "x-forwarded-for": "203.0.113.9" })];
  honest.push(await open(user, { "x-forwarded-for": "203.0.113.9" }));
  const hostile: Awaited<ReturnType<typeof open>>[] = [];
  for (let session = 0; session < 2; session++) {
    const tokens = await logIn(service, person);
    for (let part = 0; part < 5; part++)
      hostile.push(await open(tokens, { "x-forwarded-for": `203.0.${session}.${part}` }));
  }
  onTestFinished(() => {
    for (const { socket } of [...honest, ...hostile]) socket.close();
  });
  await eventually("it has its share", () => openOf(hostile) === 6);
  expect([openOf(honest), hostile.slice(6).map(({ closeCode }) => closeCode())]).toEqual([2, Array(4).fill(1013)]);
});

test("an evicted client that does not answer the close frame can execute nothing, and is cut off", async ({
  openFrom,
  newGuest,
  socketUrl,
}) => {
  await openFrom("192.0.2.6", 8);
  const raw = await openRawWebSocket(socketUrl, { "x-forwarded-for": "192.0.2.6" });
  onTestFinished(() => void raw.socket.destroy());
  let received = "";
  raw.socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1"))).resume();
  const { access_token } = await newGuest();
  await raw.send("text", JSON.stringify({ type: "connection_init", payload: bearer(access_token) }));
  await eventually("it receives the close frame", () => received.includes("Too many sockets"));
  const query = "{ user_session { id } }";
  await raw.send("text", JSON.stringify({ id: "1", type: "subscribe", payload: { query } }));
  // The server waits two seconds for the client's close frame.
  await raw.closed;
  expect(received).not.toContain("user_session");
});
