import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { expect } from "vitest";
import { documentBlocks } from "../../testing/documents/document_blocks.ts";
import { eventually } from "../../testing/eventually.ts";
import {
  KEY_ENCRYPTION_KEY,
  newGuest,
  publishedBy,
  signerOf,
  statusOf,
  test,
  type Server,
} from "./fixtures/signing_keys_fixtures.ts";

test("keys are generated, promoted and retired while two servers run, and no token breaks at any step", async ({
  servers,
  database,
  run,
  keyIn,
}) => {
  const tokens: { access_token: string; refresh_token: string }[] = [];
  /** Opens a session at each server, and shows that each server, and a foreign verifier, takes all tokens so far. */
  const allWork = async () => {
    for (const server of servers) tokens.push(await newGuest(server));
    for (const server of servers) {
      const keys = createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`));
      for (const { access_token } of tokens) {
        expect(await statusOf(server, access_token)).toBe(200);
        await jwtVerify(access_token, keys, { issuer: "latchkey", audience: "latchkey-api" });
      }
    }
  };
  const reach = async (what: string, holds: (server: Server) => Promise<boolean>) => {
    for (const server of servers) await eventually(what, () => holds(server));
  };
  await allWork();
  const own = await signerOf(servers[0]!);

  expect(await run(["list"])).toEqual({ code: 0, out: "There is no key in the database.", err: "" });
  expect((await run(["generate"])).out).toMatch(/^[0-9a-f-]{36} {2}ES256 {2}next {2}published \S+$/);
  const first = await keyIn("next");
  await reach("the next key is published", async (server) => (await publishedBy(server)).includes(first));
  await allWork();
  for (const server of servers) expect(await signerOf(server)).toBe(own);

  const early = await run(["promote"]);
  expect([early.code, early.err]).toEqual([1, expect.stringMatching(/^Verifiers may not have the next key before/)]);
  await database.query("update private.signing_key set created_at = created_at - interval '6 minutes'");
  expect((await run(["promote"])).out).toMatch(/ current /);
  await reach("the promoted key signs", async (server) => (await signerOf(server)) === first);
  await allWork();

  expect((await run(["generate", "RS256"])).code).toBe(0);
  const second = await keyIn("next");
  expect((await run(["next"])).out).toMatch(new RegExp(`^${second} {2}RS256 {2}next `));
  expect((await run(["promote", "--now"])).code).toBe(0);
  await reach("the second key signs", async (server) => (await signerOf(server)) === second);
  await allWork();
  expect(await keyIn("retired")).toBe(first);
  for (const { refresh_token } of tokens.slice(0, 2))
    expect((await servers[0]!.client.refresh(refresh_token)).status).toBe(200);

  // A leaked key: its tokens stop at once, cached ones, too, and those of others do not.
  const ofFirst = tokens.filter(({ access_token }) => decodeProtectedHeader(access_token).kid === first);
  expect((await run(["retire", first])).err).toMatch(/^It is retired, and vanishes by itself/);
  expect((await run(["retire", first, "--now"])).code).toBe(0);
  await reach("the key has vanished", async (server) => !(await publishedBy(server)).includes(first));
  expect(ofFirst).toHaveLength(2);
  for (const server of servers)
    for (const { access_token } of tokens)
      expect(await statusOf(server, access_token)).toBe(
        ofFirst.some((token) => token.access_token === access_token) ? 401 : 200,
      );
});

test("a server needs the key that encrypted them, says so, and does not start without a key that signs", async ({
  service,
  database,
  servers: _,
}) => {
  await database.query("delete from private.signing_key where state <> 'current'");
  const [row] = await database.query("select from private.signing_key");
  expect(row).toBeDefined();
  const wrong = Buffer.from("another key for the signing keys").toString("base64");
  await expect(service.startAnotherServer({ KEY_ENCRYPTION_KEY: wrong })).rejects.toThrow(
    /^The server cannot start: the signing key \S+ is encrypted under KEY_ENCRYPTION_KEY [0-9a-f]{16}/,
  );
  const both = await service.startAnotherServer({ KEY_ENCRYPTION_KEY: `${wrong},${KEY_ENCRYPTION_KEY}` });
  await both.stop();
  await database.query(
    "update private.signing_key set sealed_key = set_byte(sealed_key, 20, get_byte(sealed_key, 20) # 1)",
  );
  await expect(service.startAnotherServer()).rejects.toThrow(/was changed since it was encrypted: retire it/);
  await database.query("delete from private.signing_key");
});

test("a running server that cannot open the current key is not ready, signs nobody out, and signs what all verify", async ({
  service,
  servers: _,
  database,
  run,
  keyIn,
}) => {
  await database.query("delete from private.signing_key; notify signing_keys_changed");
  const wrong = Buffer.from("another key for the signing keys").toString("base64");
  const other = await service.startAnotherServer({ KEY_ENCRYPTION_KEY: wrong });
  try {
    const own = await signerOf(other);
    await eventually("both sign with JWT_KEYS", async () => (await signerOf(service)) === own);
    const old = await newGuest(service);
    await run(["generate"]);
    const kid = await keyIn("next");
    await eventually("a server has opened the key", async () => {
      const rows = await database.query("select from private.signing_key where opened_at is not null");
      return rows.length === 1;
    });
    await database.query("update private.signing_key set created_at = created_at - interval '6 minutes'");
    const readiness = async () => (await fetch(`${other.url}/ready`)).json();
    expect(await readiness()).toEqual({ status: "ok" });
    expect((await run(["promote"])).code).toBe(0);
    await eventually("the promoted key signs", async () => (await signerOf(service)) === kid);
    await eventually("the other server is not ready", async () => {
      const { failed } = (await readiness()) as { failed?: string[] };
      return failed?.join() === "signing_key";
    });
    const tokens = await newGuest(service);
    expect(await statusOf(other, tokens.access_token)).toBe(503);
    expect(await other.client.refresh(tokens.refresh_token)).toMatchObject({
      status: 503,
      code: "SERVICE_UNAVAILABLE",
    });
    const ofOther = await newGuest(other);
    for (const server of [service, other])
      for (const { access_token } of [old, ofOther]) expect(await statusOf(server, access_token)).toBe(200);
  } finally {
    await other.stop();
    await database.query("delete from private.signing_key; notify signing_keys_changed");
  }
});

test("who has lost KEY_ENCRYPTION_KEY deletes the keys as the document says, and makes new ones", async ({
  service,
  servers: _,
  database,
  run,
  keyIn,
}) => {
  await database.query("delete from private.signing_key");
  await run(["generate"]);
  await run(["promote", "--now"]);
  const found = { KEY_ENCRYPTION_KEY: Buffer.from("another key for the signing keys").toString("base64") };
  expect((await run(["generate"], found)).err).toMatch(/If it is lost: docs\/operations\.md#signing-keys$/);
  await expect(service.startAnotherServer(found)).rejects.toThrow(/is lost: docs\/operations\.md#signing-keys/);
  const [sql = ""] = documentBlocks("docs/operations.md", "Signing keys", "sql");
  await database.query(`begin; ${sql}; commit`);
  await database.query("reset role");
  expect((await run(["generate"], found)).code).toBe(0);
  expect((await run(["promote", "--now"], found)).code).toBe(0);
  const server = await service.startAnotherServer(found);
  try {
    expect(await signerOf(server)).toBe(await keyIn("current"));
  } finally {
    await server.stop();
    await database.query("delete from private.signing_key; notify signing_keys_changed");
  }
});

test("every wrong use of the command is a sentence, and no key is shown", async ({ run, database }) => {
  for (const args of [[], ["list", "all"], ["generate", "HS256"], ["promote", "x"], ["retire"], ["list", "--now"]])
    expect(await run(args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Usage: npm run keys -- list/) as string,
    });
  expect((await run(["retire", "unknown"])).err).toBe("There is no such key: npm run keys -- list names them.");
  expect((await run(["promote"])).err).toBe("There is no next key: generate one.");
  expect((await run(["list"], { KEY_ENCRYPTION_KEY: "short" })).err).toContain("KEY_ENCRYPTION_KEY: must be 32 bytes");
  expect((await run(["list"], { KEY_ENCRYPTION_KEY: undefined })).err).toContain(
    "KEY_ENCRYPTION_KEY is not set: set it to the one of the servers",
  );
  expect((await run(["generate"])).code).toBe(0);
  expect((await run(["generate"])).err).toMatch(/^There is a next key already/);
  await database.query("update private.signing_key set state = 'current'");
  const other = Buffer.from("another key for the signing keys").toString("base64");
  expect((await run(["generate"], { KEY_ENCRYPTION_KEY: other })).err).toMatch(
    /^KEY_ENCRYPTION_KEY is not the one of the keys in force \([0-9a-f]{16}\): set it to that of the servers/,
  );
  expect((await run(["generate"], { KEY_ENCRYPTION_KEY: `${other},${KEY_ENCRYPTION_KEY}` })).code).toBe(0);
  const [row] = await database.query<{ sealed_key: Buffer }>("select sealed_key from private.signing_key");
  expect(row?.sealed_key.toString("latin1")).not.toContain("kty");
  await database.query("delete from private.signing_key");
});
