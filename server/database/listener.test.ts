import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { eventually } from "../../testing/eventually.ts";
import { startTcpProxy } from "../../testing/tcp_proxy.ts";
import { z } from "zod";
import { collectLog } from "../../testing/log_lines.ts";
import { startListener, type Channels, type Listener } from "./listener.ts";
import type { Log } from "../../runtime/log.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Texts = Record<string, z.ZodString>;

async function listen(names: string[], url = database.superuserUrl): Promise<Listener<Texts>> {
  return listenTo(Object.fromEntries(names.map((name) => [name, z.string()])), collectLog().log, url);
}

async function listenTo<C extends Channels>(
  channels: C,
  log: Log,
  url = database.superuserUrl,
): Promise<Listener<C>> {
  const listener = await startListener(url, channels, log);
  onTestFinished(() => listener.stop());
  return listener;
}

const notify = (channel: string, payload: string) =>
  database.query("select pg_notify($1, $2)", [channel, payload]);
const connections = () =>
  database.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and application_name = 'latchkey listener'",
  );
const killConnections = () =>
  database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'latchkey listener'`,
  );

/** The payloads heard on a channel; next() resolves with the one after those taken. */
function hear(listener: Listener<Texts>, channel: string): { next: () => Promise<string>; stop: () => void } {
  const heard: string[] = [];
  let wake = () => undefined as unknown;
  const stop = listener.on(channel, (payload) => {
    heard.push(payload);
    wake();
  });
  const next = async () => {
    while (heard.length === 0) await new Promise((resolve) => (wake = () => resolve(undefined)));
    return heard.shift()!;
  };
  return { next, stop };
}

const reconnected = (listener: Listener<Texts>) =>
  new Promise<void>((resolve) => listener.onReconnect(resolve));

test("a notification arrives with its payload, on its own channel alone", async () => {
  const listener = await listen(["one", "two"]);
  const [one, two] = [hear(listener, "one"), hear(listener, "two")];
  await notify("two", "for two");
  await notify("one", "for one");
  await notify("one", "");
  expect(await one.next()).toBe("for one");
  expect(await one.next()).toBe("");
  expect(await two.next()).toBe("for two");
});

test("a callback that unsubscribed is not called again, and others are", async () => {
  const listener = await listen(["one"]);
  const [gone, here] = [hear(listener, "one"), hear(listener, "one")];
  gone.stop();
  await notify("one", "first");
  expect(await here.next()).toBe("first");
  const late = await Promise.race([gone.next(), Promise.resolve("nothing")]);
  expect(late).toBe("nothing");
});

test("a connection that PostgreSQL ends is replaced, and notifications arrive again, again and again", async () => {
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

test("a database that is away for several attempts is listened to once it is back", async () => {
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

test("a database that is away from the start is an error of the start", async () => {
  await expect(listen(["one"], "postgres://x@127.0.0.1:1/x")).rejects.toThrow("ECONNREFUSED");
});

test("stopping ends the connection for good", async () => {
  const listener = await listen(["one"]);
  expect(await connections()).toHaveLength(1);
  await listener.stop();
  await eventually("the connection ends", async () => (await connections()).length === 0);
});

test("stopping while it reconnects leaves no connection behind", async () => {
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

test("a payload that does not fit its channel's schema is logged without its text, once, and the next one arrives", async () => {
  const { log, lines } = collectLog();
  const listener = await listenTo({ numbers: z.coerce.number() }, log);
  const heard: number[] = [];
  listener.on("numbers", (number) => heard.push(number));
  for (let count = 0; count < 20; count++) await notify("numbers", `no number ${"x".repeat(7_900)}`);
  await notify("numbers", "7");
  await eventually("the number arrives", () => heard.length > 0);
  expect(heard).toEqual([7]);
  expect(lines).toMatchObject([{ kind: "numbers", msg: "a notification was ignored" }]);
  expect(JSON.stringify(lines)).not.toContain("xxx");
});

test("a callback that throws is logged, and keeps no other one from being called", async () => {
  const { log, lines } = collectLog();
  const listener = await listenTo({ one: z.string() }, log);
  listener.on("one", () => {
    throw new Error("a bug");
  });
  const heard = hear(listener, "one");
  await notify("one", "first");
  await notify("one", "second");
  expect([await heard.next(), await heard.next()]).toEqual(["first", "second"]);
  expect(lines).toMatchObject([{ kind: "one", err: "a callback threw: a bug" }]);
});

test("a callback that throws after a loss does not open a second connection", async () => {
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

/** Lets connections through to the database; while it is closed they are taken and wait. */
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
