import { expect, test } from "vitest";
import { createPayerQueue } from "./payer_queue.ts";

function setUp(concurrency: number, perPayer: number) {
  const queue = createPayerQueue(concurrency, perPayer);
  const ends = new Map<string, () => void>();
  const run = (payer: string, name: string) =>
    queue.run(payer, () => new Promise<void>((resolve) => ends.set(name, resolve)));
  const end = async (name: string) => {
    ends.get(name)?.();
    ends.delete(name);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { run, end, running: () => [...ends.keys()] };
}

test("payers take turns, whoever has more waiting", async () => {
  const { run, end, running } = setUp(1, 10);
  for (const name of ["a1", "a2", "a3"]) void run("a", name);
  void run("b", "b1");
  await end("");
  expect(running()).toEqual(["a1"]);
  await end("a1");
  expect(running()).toEqual(["a2"]);
  await end("a2");
  expect(running()).toEqual(["b1"]);
});

test("a payer has only so much running and waiting, and no other is refused for it", async () => {
  const { run, end } = setUp(1, 2);
  void run("a", "a1");
  void run("a", "a2");
  await expect(run("a", "a3")).rejects.toMatchObject({ code: "limit-exceeded", passing: true });
  void run("b", "b1");
  await end("a1");
  void run("a", "a4");
  await expect(run("a", "a5")).rejects.toMatchObject({ code: "limit-exceeded" });
});
