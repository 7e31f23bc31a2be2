import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { startTcpProxy } from "../../testing/network/tcp_proxy.ts";
import { z } from "zod";
import { collectLog } from "../../testing/log_lines.ts";
import { hear, reconnected, test } from "../fixtures/listener_fixtures.ts";

test("a connection that PostgreSQL ends is replaced, and notifications arrive again, again and again", async ({
  listen,
  notify,
  killConnections,
}) => {
  const listener = await listen(["one"]);
  const one = hear(listener, "one");
  for (const payload of ["first", "second"]) {
    const again = reconnected(listener);
    await killConnections();
    await again;
    await notify("one", payload);
    expect(await one.next()).toBe(payload);
  }
});

test("a database that is unavailable for several attempts is listened to again afterwards", async ({
  listen,
  notify,
  connections,
  database,
}) => {
  const proxy = await startTcpProxy(database.superuserUrl);
  onTestFinished(() => proxy.stop());
  const listener = await listen(["one"], proxy.through(database.superuserUrl));
  const one = hear(listener, "one");
  const again = reconnected(listener);
  await proxy.cut();
  await eventually("the old connection is gone", async () => (await connections()).length === 0);
  await proxy.restore();
  await again;
  await notify("one", "back");
  expect(await one.next()).toBe("back");
});

test("a database that is unavailable at the start makes the start fail", async ({ listen }) => {
  await expect(listen(["one"], "postgres://x@127.0.0.1:1/x")).rejects.toThrow("ECONNREFUSED");
});

test("stopping ends the connection for good", async ({ listen, connections }) => {
  const listener = await listen(["one"]);
  // The connections of the tests before it may still be ending.
  await eventually("there is one connection", async () => (await connections()).length === 1);
  await listener.stop();
  await eventually("the connection ends", async () => (await connections()).length === 0);
});

test("stopping while it reconnects leaves no connection behind", async ({
  listen,
  connections,
  killConnections,
  database,
}) => {
  const gate = await startGate(database.superuserUrl);
  const listener = await listen(["one"], gate.url);
  gate.close();
  await killConnections();
  await eventually("a connection waits at the gate", () => gate.waiting() > 0);
  await listener.stop();
  gate.open();
  await eventually("the late connection was made and is gone", async () => {
    return gate.ended() === 2 && (await connections()).length === 0;
  });
});

test("a callback that throws after a loss does not open a second connection", async ({
  listenTo,
  notify,
  connections,
  killConnections,
}) => {
  const { log } = collectLog();
  const listener = await listenTo({ one: z.string() }, log);
  listener.onReconnect(() => {
    throw new Error("a bug");
  });
  const again = reconnected(listener);
  await killConnections();
  await again;
  const heard = hear(listener, "one");
  await notify("one", "once");
  expect(await heard.next()).toBe("once");
  expect(await connections()).toHaveLength(1);
});

/** Forwards connections to the database. While it is closed it accepts them and lets them wait. */
async function startGate(target: string) {
  const { hostname, port } = new URL(target);
  const waiting: Socket[] = [];
  let isOpen = true;
  let ended = 0;
  const pass = (near: Socket) => {
    const far = connect(Number(port), hostname);
    far.on("error", () => near.destroy());
    far.on("close", () => {
      ended++;
      near.destroy();
    });
    near.on("close", () => far.destroy());
    near.pipe(far).pipe(near);
  };
  const server = createServer((near) => {
    near.on("error", () => near.destroy());
    if (isOpen) pass(near);
    else waiting.push(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    waiting: () => waiting.length,
    ended: () => ended,
    close: () => (isOpen = false),
    open() {
      isOpen = true;
      for (const near of waiting.splice(0)) pass(near);
    },
  };
}
