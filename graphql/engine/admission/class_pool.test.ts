import type pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { createClassPool, type Connection, type Payer } from "./class_pool.ts";

const free: Payer["budget"] = { requireRest: () => undefined, chargeDatabase: () => undefined };

/** A class pool of two connections; `held` has the principals that have one, in their order. */
function createPool(perPrincipal = 1) {
  const client = { release: () => undefined };
  const pool = { options: { max: 2 }, connect: () => Promise.resolve(client) } as unknown as pg.Pool;
  const classPool = createClassPool(pool, { perPrincipal, waitingPerPrincipal: 3 });
  const held: { principal: string; connection: Connection }[] = [];
  return {
    held,
    names: () => held.map(({ principal }) => principal),
    ask: (principal: string, budget = free) =>
      classPool.connect({ principal, budget }).then((connection) => void held.push({ principal, connection })),
    giveBack: async (index = 0) => {
      held.splice(index, 1)[0]?.connection.release(false);
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    },
  };
}

test("a principal uses one connection at a time, and others the rest", async () => {
  const { ask, names, giveBack } = createPool();
  await ask("a");
  const second = ask("a");
  await ask("b");
  expect(names()).toEqual(["a", "b"]);
  await giveBack(1);
  expect(names(), "a has one already").toEqual(["a"]);
  await giveBack();
  await second;
  expect(names()).toEqual(["a"]);
});

test("principals take turns, so that nobody waits behind all requests of another", async () => {
  const { ask, names, giveBack } = createPool();
  await ask("a");
  await ask("b");
  for (const principal of ["a", "a", "a", "b", "c"]) void ask(principal);
  const order: string[] = [];
  for (let count = 0; count < 5; count++) {
    await giveBack();
    order.push(names().at(-1) ?? "");
  }
  expect(order.indexOf("c")).toBeLessThan(order.lastIndexOf("a"));
});

test("beyond its waiting requests a principal is refused with 429, and no other is", async () => {
  const { ask } = createPool();
  for (const principal of ["a", "b"]) await ask(principal);
  for (let count = 0; count < 3; count++) void ask("a");
  await expect(ask("a")).rejects.toMatchObject({ code: "limit-exceeded", status: 429 });
  const other = ask("c");
  await expect(Promise.race([other, Promise.resolve("waits")])).resolves.toBe("waits");
});

test("beyond what may wait in all it is unavailable", async () => {
  const { ask } = createPool();
  for (const principal of ["a", "b"]) await ask(principal);
  const answers = Array.from({ length: 401 }, (_, index) => ask(`p${index}`));
  await expect(answers[400]).rejects.toMatchObject({ name: "UnavailableError" });
});

test("where too many wait, the principal that has most loses its newest to one that has fewer", async () => {
  const { ask } = createPool();
  for (const principal of ["a", "b"]) await ask(principal);
  const many = Array.from({ length: 2 }, () => ask("many"));
  for (let index = 0; index < 398; index++) void ask(`p${index}`);
  const other = ask("other");
  await expect(many[1]).rejects.toMatchObject({ name: "UnavailableError" });
  for (const waits of [many[0], other])
    await expect(Promise.race([waits, Promise.resolve("waits")])).resolves.toBe("waits");
});

test("the admin may use all connections", async () => {
  const { ask, names } = createPool(Infinity);
  await ask("admin");
  await ask("admin");
  expect(names()).toEqual(["admin", "admin"]);
});

test("a budget pays for the time that its request holds a connection, and none of the time that it waits", async () => {
  const { ask, giveBack } = createPool();
  const charged: number[] = [];
  const budget = { ...free, chargeDatabase: (ms: number) => void charged.push(ms) };
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  for (const principal of ["a", "b"]) await ask(principal);
  const waiting = ask("c", budget);
  clock.mockReturnValue(5_000);
  await giveBack();
  await waiting;
  clock.mockReturnValue(5_070);
  await giveBack(1);
  expect(charged).toEqual([70]);
});

test("a request whose budget was used up while it waited is refused, and its turn is the next one's", async () => {
  const { ask, giveBack, names } = createPool();
  for (const principal of ["a", "b"]) await ask(principal);
  const refused = ask("c", {
    ...free,
    requireRest: () => {
      throw new Error("used up");
    },
  });
  const next = ask("d");
  await giveBack();
  await expect(refused).rejects.toThrow("used up");
  await next;
  expect(names()).toEqual(["b", "d"]);
});
