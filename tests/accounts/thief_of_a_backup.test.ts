import { createHmac } from "node:crypto";
import { expect } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { toBase32 } from "../../server/factors/otpauth_uri.ts";
import { createTotpSecrets, type SealedSecret } from "../../server/factors/totp_secrets.ts";
import type { Session } from "../../server/database/api_answers.ts";
import { prehash } from "../../server/passwords/prehash.ts";
import { createTokens } from "../../server/tokens/tokens.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { createSigningKey } from "../../testing/service/test_keys.ts";
import { test as baseTest } from "../fixtures/factor_fixtures.ts";

// docs/security.md says what a thief can do who has a backup of the database alone. Each test shows first that the
// service's own key does what no value of the backup does.

const test = baseTest
  /** Every row of every table, as pg_dump would write it. */
  .extend("backup", async ({ database, enrolled }) => {
    const tables = await database.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`,
    );
    let text = "";
    for (const { name } of tables)
      for (const { row } of await database.query<{ row: string }>(`select t::text as row from ${name} t`))
        text += `${row}\n`;
    expect(text).toContain(enrolled.phone);
    return text;
  })
  /** Each value of the backup that may be a key of 32 bytes: as bytea, as base64 and as text. */
  .extend("keys", ({ backup }) => {
    const found = [Buffer.alloc(32)];
    for (const [, hex = ""] of backup.matchAll(/(?=([0-9a-f]{64}))/g)) found.push(Buffer.from(hex, "hex"));
    for (const [text] of backup.matchAll(/[A-Za-z0-9+/_-]{43}=?/g)) found.push(Buffer.from(text, "base64"));
    const keys = [...new Set(found.map((key) => key.toString("hex")))].map((key) => Buffer.from(key, "hex"));
    expect(keys.length).toBeGreaterThan(3);
    return keys;
  })
  .extend("config", ({ database }) => serverConfig(database.env))
  .extend("account", async ({ database, enrolled }) => {
    const [row] = await database.query<{ id: string; password_hash: string }>(
      `select id, password_hash from "user".account where phone = $1`,
      [enrolled.phone],
    );
    return row ?? expect.fail("no account");
  });

test("no code of an app: the sealed secret opens by the pepper, and by nothing that the backup holds", async ({
  database,
  enrolled,
  backup,
  keys,
  config,
  account,
}) => {
  const [sealed] = await database.query<SealedSecret>(
    `select sealed_secret, pepper_id from "user".factor where id = $1`,
    [enrolled.factorId],
  );
  if (!sealed) expect.fail("no factor");
  expect(backup).toContain(sealed.sealed_secret.toString("hex"));
  const secret = createTotpSecrets(config).open(account.id, sealed);
  expect(toBase32(secret)).toBe(enrolled.secret);

  for (const form of [enrolled.secret, secret.toString("hex"), secret.toString("base64")])
    expect(backup.includes(form)).toBe(false);
  for (const key of keys) {
    const factorKeys = [{ pepperId: sealed.pepper_id, key }];
    expect(() => createTotpSecrets({ factorKeys }).open(account.id, sealed)).toThrow("authenticate");
  }
});

test("no recovery code: its hash can be compared by the pepper's key alone", ({
  enrolled,
  backup,
  keys,
  config,
  account,
}) => {
  const [shown = ""] = enrolled.recoveryCodes;
  const code = shown.replace("-", "");
  const hash = (key: Buffer) => createHmac("sha256", key).update(`${account.id}:${code}`).digest("hex");
  expect(backup).toContain(hash(config.codeKey.subarray(8)));
  for (const text of [shown, code, ...keys.map(hash)]) expect(backup.includes(text)).toBe(false);
});

test("no password: a guess can be compared by the pepper's key alone", async ({
  database,
  enrolled,
  backup,
  keys,
  config,
  account,
}) => {
  const { password } = enrolled;
  const fits = async (guesses: string[]) => {
    const [row] = await database.query<{ fits: boolean }>(
      "select bool_or(private.is_hash_of(guess, $2)) as fits from unnest($1::text[]) guess",
      [guesses, account.password_hash],
    );
    return row?.fits;
  };
  expect(backup).toContain(account.password_hash);
  expect(await fits([prehash(config.passwordKeys, password)])).toBe(true);
  expect(backup.includes(password)).toBe(false);
  expect(await fits([password, ...keys.map((key) => prehash([{ pepperId: "", key }], password))])).toBe(false);
});

test("no session: the ids of tokens are in the backup, and the key that signs them is not", async ({
  client,
  database,
  enrolled,
  backup,
  config,
}) => {
  const [session] = await database.query<Session>(`select *, id as session_id from "user".session where id = $1`, [
    enrolled.tokens.session_id,
  ]);
  if (!session) expect.fail("no session");
  const signedBy = (keys: typeof config.JWT_KEYS) => {
    const tokens = createTokens({
      keys,
      issuer: config.JWT_ISSUER,
      audience: config.JWT_AUDIENCE,
      clientId: config.JWT_CLIENT_ID,
      databaseRole: { claim: "role", values: {} },
    });
    const ends = {
      access_token_expires_at: new Date(session.access_token_expires_at).toISOString(),
      refresh_token_expires_at: new Date(session.refresh_token_expires_at).toISOString(),
      authenticated_at: session.authenticated_at && new Date(session.authenticated_at).toISOString(),
    };
    return tokens.sign({ ...session, ...ends, claims: null });
  };
  const answers = async ({ access_token, refresh_token }: ReturnType<typeof signedBy>) => [
    (await client.get("/auth/session", bearer(access_token))).status,
    (await client.refresh(refresh_token)).status,
  ];
  for (const { kid, privateKey } of config.JWT_KEYS) {
    const { d } = privateKey.export({ format: "jwk" });
    for (const form of [String(d), Buffer.from(String(d), "base64url").toString("hex")])
      expect(backup.includes(form)).toBe(false);
    expect(await answers(signedBy([createSigningKey(kid)]))).toEqual([401, 401]);
  }
  for (const token of [enrolled.tokens.access_token, enrolled.tokens.refresh_token])
    expect(backup.includes(token.slice(token.lastIndexOf(".") + 1))).toBe(false);
  expect(await answers(signedBy(config.JWT_KEYS))).toEqual([200, 200]);
});

test("no key: neither the pepper nor what is derived from it is in the backup", ({ backup, config }) => {
  expect(backup).toContain(String(config.pepperFingerprints[0]?.toString("hex")));
  const { HASH_PEPPER, passwordKeys, codeKey, factorKeys } = config;
  for (const key of [...HASH_PEPPER, ...[...passwordKeys, ...factorKeys].map(({ key }) => key), codeKey.subarray(8)])
    for (const form of ["hex", "base64", "base64url"] as const) expect(backup.includes(key.toString(form))).toBe(false);
});
