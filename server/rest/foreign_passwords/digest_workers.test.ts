import { hashSync } from "bcryptjs";
import { afterEach, expect, test } from "vitest";
import { createDigestWorkers } from "./digest_workers.ts";
import { parseForeignHash } from "./foreign_hash.ts";

const workers = createDigestWorkers();
afterEach(() => workers.stop());

const taskOf = (hash: string, password: string) => {
  const { prefix, digestBytes } = parseForeignHash(hash);
  return { prefix, digestBytes, password };
};

test("digests are computed at the same time, off the event loop, and each caller gets its own", async () => {
  const hashes = ["one", "two", "three"].map((password) => [password, hashSync(password, 10)] as const);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const digests = await Promise.all(hashes.map(([password, hash]) => workers.compute(taskOf(hash, password))));
  clearInterval(timer);
  expect(digests).toEqual(hashes.map(([, hash]) => parseForeignHash(hash).digest));
  expect(ticks, "three bcrypts on the event loop would leave the timer three turns at most").toBeGreaterThan(3);
});

test("a task that fails is reported, and the next one works", async () => {
  const task = taskOf(hashSync("one", 4), "one");
  await expect(workers.compute({ ...task, prefix: "$md5$" })).rejects.toThrow("of no scheme");
  expect(await workers.compute(task)).toHaveLength(31);
});
