import { expect, test } from "vitest";
import { createSealedSigningKey, type SealedSigningKey } from "../../config/secrets/sealed_signing_keys.ts";
import { deriveKeys } from "../../config/secrets/derived_keys.ts";
import type { Log } from "../../runtime/log.ts";
import { openKeyRing } from "./live_keys.ts";

const encryptionKeys = deriveKeys([Buffer.alloc(32, 1)], "signing key encryption");
const foreignKeys = deriveKeys([Buffer.alloc(32, 2)], "signing key encryption");

test("a key that does not open is named, and keeps no retired one in force", async ({ onTestFinished }) => {
  const [current, leaked, next] = [1, 2, 3].map(() => createSealedSigningKey(encryptionKeys, "ES256"));
  const foreign = createSealedSigningKey(foreignKeys, "ES256");
  let rows = [row(current, "current"), row(leaked, "retired")];
  const errors: unknown[] = [];
  const log = { info: () => undefined, error: (fields: unknown) => errors.push(fields) } as unknown as Log;
  const confirmed: string[][] = [];
  const confirm = (kids: string[]) => Promise.resolve(confirmed.push(kids));
  const ring = await openKeyRing({ own: [], encryptionKeys, log, confirm, read: () => Promise.resolve(rows) });
  onTestFinished(ring.stop);
  expect(ring.keys().map(({ kid }) => kid)).toEqual([current?.kid, leaked?.kid]);

  rows = [row(current, "current"), row(foreign, "retired"), row(next, "next")];
  await ring.reload();
  expect(ring.keys().map(({ kid }) => kid)).toEqual([current?.kid, next?.kid]);
  expect(errors).toEqual([expect.objectContaining({ kid: foreign.kid })]);
  expect(confirmed.at(-1)).toEqual([current?.kid, next?.kid]);
  expect([...ring.unopened()]).toEqual([[foreign.kid, "retired"]]);

  // Verifiers may not have the next key yet; they have the one that has signed so far.
  rows = [row(foreign, "current"), row(next, "next"), row(current, "retired")];
  await ring.reload();
  expect(ring.keys().map(({ kid }) => kid)).toEqual([current?.kid, next?.kid]);
  await ring.reload();
  expect(errors).toHaveLength(2);
});

function row(key: SealedSigningKey | undefined, state: string): SealedSigningKey & { state: string } {
  if (!key) throw new Error("there is no such key");
  return { ...key, state };
}
