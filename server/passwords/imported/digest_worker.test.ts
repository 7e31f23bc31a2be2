import { hashSync } from "bcryptjs";
import { afterEach, expect, test } from "vitest";
import { createDigestWorker } from "./digest_worker.ts";
import { parseForeignHash } from "./foreign_hash.ts";

const worker = createDigestWorker();
afterEach(() => worker.stop());

const taskOf = (hash: string, password: string) => {
  const { prefix, digestBytes } = parseForeignHash(hash);
  return { prefix, digestBytes, password };
};

test("digests are computed off the event loop, and each caller gets its own", async () => {
  const hashes = ["one", "two", "three"].map((password) => [password, hashSync(password, 10)] as const);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const digests: string[] = [];
  for (const [password, hash] of hashes) digests.push(await worker.compute(taskOf(hash, password)));
  clearInterval(timer);
  expect(digests).toEqual(hashes.map(([, hash]) => parseForeignHash(hash).digest));
  expect(ticks, "three bcrypts on the event loop would leave the timer three turns at most").toBeGreaterThan(3);
});

test("a task that fails is reported, and the next one works", async () => {
  const task = taskOf(hashSync("one", 4), "one");
  await expect(worker.compute({ ...task, prefix: "$md5$" })).rejects.toThrow("of no scheme");
  expect(await worker.compute(task)).toHaveLength(31);
});
