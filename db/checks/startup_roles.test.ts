import { expect } from "vitest";
import { check, refusal, test } from "./fixtures/startup_fixtures.ts";

test("a role without a right to the entry points is refused with a sentence", async ({ serverUrl }) => {
  await expect(check(serverUrl, { schema: "delivery" })).rejects.toMatchObject(
    refusal(expect.stringContaining("permission denied for schema delivery")),
  );
});

test("server and worker detect at start that a role of ours has lost a right", async ({
  database,
  serverUrl,
  workerUrl,
}) => {
  await database.query('drop policy "a user sees its own account" on "user".account');
  const message = expect.stringMatching(
    /^Rights of Latchkey's roles are missing or changed: "user".account: policy "a user sees its own account" for latchkey_user\. Run: npm run db:migrate, /,
  ) as string;
  await expect(check(serverUrl)).rejects.toMatchObject(refusal(message));
  await expect(check(workerUrl, { schema: "delivery" })).rejects.toMatchObject(refusal(message));
});

test("a role that is superuser is refused in production, and warned of elsewhere", async ({ database }) => {
  const message = expect.stringMatching(/^The database role postgres is superuser and .*: it must not\.$/) as string;
  await expect(check(database.superuserUrl)).rejects.toMatchObject(refusal(message));
  expect(await check(database.superuserUrl, { production: false })).toEqual([message]);
});

test.for<[string, string]>([
  ["bypasses row-level security", "alter role ROLE bypassrls"],
  ["makes roles", "alter role ROLE createrole"],
  ["replicates", "alter role ROLE replication"],
  ["owns a table", "set role ROLE; create table public.mine (); reset role"],
  ["may become latchkey_server", "grant latchkey_server to ROLE"],
  ["may become latchkey_hook, latchkey_owner", "grant latchkey_owner to ROLE"],
  ["may become pg_read_all_data", "grant pg_read_all_data to ROLE"],
])("a role that %s is refused in production", async ([what, make], { database }) => {
  const role = `${database.name}_role`;
  const url = new URL(database.superuserUrl);
  url.username = role;
  url.password = "secret";
  await database.query(`create role ${role} login password 'secret';
                        grant usage on schema api, startup to ${role};
                        grant execute on function startup.installed_migration() to ${role};
                        grant create on schema public to ${role}; grant connect on database ${database.name} to ${role}`);
  await database.query(make.replaceAll("ROLE", role));
  try {
    await expect(check(url.href)).rejects.toMatchObject(refusal(`The database role ${role} ${what}: it must not.`));
  } finally {
    await database.query(`drop owned by ${role}; drop role ${role}`);
  }
});

test("the migrator is refused: it may become the owner of everything", async ({ database }) => {
  await expect(check(String(database.env.DATABASE_URL))).rejects.toMatchObject(
    refusal(expect.stringMatching(/^The database role latchkey_migrator makes roles and may become .*latchkey_owner/)),
  );
});

test("a wrong password is reported as such, and not as a missing migration", async ({ serverUrl }) => {
  const url = new URL(serverUrl);
  url.password = "wrong";
  await expect(check(url.href)).rejects.toMatchObject(
    refusal(expect.stringMatching(/^The database refused the login \(password authentication failed/)),
  );
});
