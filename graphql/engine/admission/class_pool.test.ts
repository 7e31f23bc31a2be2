import type pg from "pg";
import { expect, test } from "vitest";
import { createClassPool, type Connection } from "./class_pool.ts";

/** A class pool of two connections; `held` has the principals that have one, in their order. */
function createPool(perPrincipal = 1) {
  const client = { release: () => undefined };
  const pool = { options: { max: 2 }, connect: () => Promise.resolve(client) } as unknown as pg.Pool;
  const classPool = createClassPool(pool, { perPrincipal, waitingPerPrincipal: 3 });
  const held: { principal: string; connection: Connection }[] = [];
  return {
    held,
    names: () => held.map(({ principal }) => principal),
    ask: (principal: string) =>
      classPool.connect(principal).then((connection) => void held.push({ principal, connection })),
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
  const answers = Array.from({ length: 403 }, (_, index) => ask(`p${index}`));
  await expect(answers[402]).rejects.toMatchObject({ name: "UnavailableError" });
});

test("the admin may use all connections", async () => {
  const { ask, names } = createPool(Infinity);
  await ask("admin");
  await ask("admin");
  expect(names()).toEqual(["admin", "admin"]);
});
