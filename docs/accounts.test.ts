import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashSync } from "bcryptjs";
import { expect } from "vitest";
import type { Environment } from "../config/environment.ts";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { test } from "../testing/fixtures.ts";
import { firebaseHash, firebaseProject } from "../testing/service/foreign_hashes.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { goodPassword, logIn, newPhone, signUp } from "../testing/service/people.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import type { TestDatabase } from "../testing/postgres/test_database.ts";

const commandsOf = (guide: "accounts" | "migrating", heading: string): string[] =>
  documentBlocks(`docs/${guide}.md`, heading, "sh");

interface Answer {
  data: Record<string, unknown>;
}

test("the commands for the account's end export, delete and restore an account", async ({ service }) => {
  const person = await signUp(service);
  const { access_token } = await logIn(service, person);
  const env = { API: service.url, TOKEN: access_token, PHONE: person.phone, PASSWORD: person.password };
  const run = async (command = ""): Promise<Answer> => JSON.parse(await runRecipe(command, env)) as Answer;

  const [exportCommand] = commandsOf("accounts", "Exporting");
  expect((await run(exportCommand)).data).toMatchObject({ account: { phone: person.phone }, shortened: [] });
  const [deleteCommand, loginCommand] = commandsOf("accounts", "Deleting, and undoing it");
  expect((await run(deleteCommand)).data).toEqual({ deletion_due_at: expect.any(String) as unknown });
  expect((await run(loginCommand)).data).toMatchObject({ restored: true });
});

/** Runs the command below a heading with a file of its own, and logs its user in. */
const importTest = test.extend("importsFrom", ({ service, database }) => async (heading: string, env: Environment) => {
  const [command = ""] = commandsOf("migrating", heading);
  const users = join(temporaryFolder(), "users.ndjson");
  const printed = await runRecipe(command, { ...database.env, ...env, USERS: users });
  expect(statSync(users).mode & 0o077, "nobody else can read the file").toBe(0);
  return {
    printed,
    logIn: async (phone: string) =>
      (await service.client.post("/auth/login", { phone, password: goodPassword })).status,
  };
});

/** The URL of another system's database: this one, in which nothing else has the name. */
const withTable = async (database: TestDatabase, columns: string, rows: unknown[][]): Promise<string> => {
  await database.query(
    `drop schema if exists auth cascade; create schema auth;
     create table auth.users (${columns}, id uuid not null default gen_random_uuid())`,
  );
  for (const row of rows)
    await database.query(`insert into auth.users values (${row.map((_, index) => `$${index + 1}`).join(", ")})`, row);
  return database.superuserUrl;
};

importTest.skipIf(isMissing("psql"))("users of Supabase keep their passwords", async ({ importsFrom, database }) => {
  const [phone, unconfirmed, banned] = [newPhone(), newPhone(), newPhone()];
  const hash = hashSync(goodPassword, 10).replace("$2b$", "$2a$");
  const now = new Date();
  const url = await withTable(
    database,
    `phone text, email text, encrypted_password text, created_at timestamptz, phone_confirmed_at timestamptz,
     deleted_at timestamptz, banned_until timestamptz`,
    [
      [phone.slice(1), "ada@example.com", hash, now, now, null, null],
      [unconfirmed.slice(1), null, hash, now, null, null, null],
      [banned.slice(1), null, hash, now, now, null, new Date(now.getTime() + 60_000)],
      [newPhone().slice(1), null, "", now, now, null, null],
      [null, "by-email@example.com", hash, now, null, null, null],
    ],
  );
  const { printed, logIn } = await importsFrom("From Supabase", { SUPABASE_DATABASE_URL: url });
  expect(printed).toMatch(/^2 imported, 0 there already, 0 refused;/m);
  expect([await logIn(phone), await logIn(unconfirmed), await logIn(banned)]).toEqual([200, 401, 401]);
});

importTest("users of Firebase keep their passwords", async ({ importsFrom }) => {
  const [phone, byCode, disabled] = [newPhone(), newPhone(), newPhone()];
  const salt = "42xEC+ixf3L2lw==";
  const passwordHash = (await firebaseHash(goodPassword, salt)).split("$").at(-1);
  const EXPORT = join(temporaryFolder(), "firebase.json");
  const users = [
    {
      localId: "Abc123",
      phoneNumber: phone,
      email: "ada@example.com",
      passwordHash,
      salt,
      createdAt: "1486324338000",
    },
    { phoneNumber: byCode, createdAt: "1486324338000" },
    { phoneNumber: disabled, passwordHash, salt, createdAt: "1486324338000", disabled: true },
    { email: "by-email@example.com", passwordHash, salt, createdAt: "1486324338000" },
  ];
  writeFileSync(EXPORT, JSON.stringify({ users }));
  const { printed, logIn } = await importsFrom("From Firebase", {
    EXPORT,
    SIGNER_KEY: firebaseProject.signerKey,
    SALT_SEPARATOR: firebaseProject.saltSeparator,
    ROUNDS: String(firebaseProject.rounds),
    MEM_COST: String(firebaseProject.memCost),
  });
  expect(printed).toMatch(/^2 imported, 0 there already, 0 refused;/m);
  expect([await logIn(phone), await logIn(byCode), await logIn(disabled)]).toEqual([200, 401, 401]);
});

importTest.skipIf(isMissing("psql"))("users of nhost keep their passwords", async ({ importsFrom, database }) => {
  const [phone, disabled] = [newPhone(), newPhone()];
  const hash = hashSync(goodPassword, 10).replace("$2b$", "$2a$");
  const url = await withTable(
    database,
    "phone_number text, email text, password_hash text, created_at timestamptz, phone_number_verified boolean, disabled boolean",
    [
      [phone, "ada@example.com", hash, new Date(), true, false],
      [disabled, null, hash, new Date(), true, true],
      [newPhone(), null, hash, new Date(), false, false],
      [newPhone(), null, null, new Date(), true, false],
    ],
  );
  const { printed, logIn } = await importsFrom("From nhost", { NHOST_DATABASE_URL: url });
  expect(printed).toMatch(/^2 imported, 0 there already, 0 refused;/m);
  expect([await logIn(phone), await logIn(disabled)]).toEqual([200, 401]);
});
