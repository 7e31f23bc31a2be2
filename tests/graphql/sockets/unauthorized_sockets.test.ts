import { once } from "node:events";
import { expect, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testing/eventually.ts";
import { openRawWebSocket } from "../../../testing/graphql/raw_websocket.ts";
import { ids, test } from "../fixtures/socket_fixtures.ts";

test("an address may have 100 sockets that are not authorized; one more evicts its oldest, and no other address's", async ({
  newGuest,
  socketUrl,
  open,
}) => {
  const from = (address: string) => ({ "x-forwarded-for": address });
  const session = await newGuest();
  // Authorized, so it does not count.
  const authorized = await open(session, from("192.0.2.1"));
  const [oldest, ...waiting] = [
    await openRawWebSocket(socketUrl, from("192.0.2.1")),
    ...(await Promise.all(ids(99).map(() => openRawWebSocket(socketUrl, from("192.0.2.1"))))),
  ];
  onTestFinished(() => waiting.forEach(({ socket }) => void socket.destroy()));
  expect(waiting.filter(({ answer }) => !answer.startsWith("HTTP/1.1 101"))).toEqual([]);
  const newest = await openRawWebSocket(socketUrl, from("192.0.2.1"));
  onTestFinished(() => void newest.socket.destroy());
  expect(newest.answer).toMatch(/^HTTP\/1.1 101/);
  oldest.socket.resume();
  await oldest.closed;
  expect((await openRawWebSocket(socketUrl, from("192.0.2.2"))).answer).toMatch(/^HTTP\/1.1 101/);
  authorized.subscribe("1");
  await eventually("it is answered", () => authorized.messagesOf("1").length > 0);
  for (const { socket } of waiting) socket.destroy();
  await eventually("there is room again", async () => {
    const next = await openRawWebSocket(socketUrl, from("192.0.2.1"));
    onTestFinished(() => void next.socket.destroy());
    return next.answer.startsWith("HTTP/1.1 101");
  });
});

test("of 101 sockets of an address, one is closed before the time-out of connection_init", async ({ socketUrl }) => {
  const closeCodes = async () => {
    const sockets = ids(101).map(() => new WebSocket(socketUrl, "graphql-transport-ws"));
    const codes = await Promise.all(
      sockets.map(async (socket) => {
        socket.on("error", () => undefined);
        const [code] = (await once(socket, "close")) as [number];
        return code;
      }),
    );
    return Object.groupBy(codes, String);
  };
  // On a busy machine the first socket may time out before the last one is open, so that none is evicted.
  let codes = await closeCodes();
  for (let attempt = 0; !codes[1006] && attempt < 5; attempt++) codes = await closeCodes();
  expect([codes[1006]?.length, codes[4408]?.length]).toEqual([1, 100]);
});
