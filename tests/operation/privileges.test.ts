import pg from "pg";
import { describe, expect } from "vitest";
import { migratorConfig } from "../../config/config.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { signUp } from "../../testing/service/people.ts";
import { storedSetting } from "../../testing/service/stored_setting.ts";

/**
 * What somebody can do who holds a role's connection. The catalog's side of it is in db/tests/structure/;
 * this is the hostile one, over real connections with the roles' own passwords.
 */
const test = baseTest
  .extend("person", { scope: "file" }, ({ service }) => signUp(service))
  .extend("connections", { scope: "file" }, async ({ database, person: _person }, { onCleanup }) => {
    const config = migratorConfig(database.env);
    const clients: Record<string, pg.Client> = {
      server: new pg.Client({ connectionString: config.SERVER_DATABASE_URL }),
      worker: new pg.Client({ connectionString: config.WORKER_DATABASE_URL }),
    };
    for (const role of ["graphql", "guest", "user", "admin"])
      clients[role] = new pg.Client({ connectionString: config.GRAPHQL_DATABASE_URL });
    onCleanup(async () => {
      await Promise.all(Object.values(clients).map((client) => client.end()));
    });
    for (const client of Object.values(clients)) await client.connect();
    for (const role of ["guest", "user", "admin"]) await clients[role]!.query(`set role latchkey_${role}`);
    return clients;
  })
  /** The SQLSTATE that a statement fails with, or the rows that it gives. */
  .extend(
    "attempt",
    { scope: "file" },
    ({ connections }) =>
      (who: string, sql: string): Promise<string | unknown[]> =>
        connections[who]!.query(sql).then(
          ({ rows }) => rows as unknown[],
          (error: unknown) => (error as pg.DatabaseError).code ?? (error as Error).message,
        ),
  );
const denied = "42501";
const checkViolation = "23514";

const anyone = ["server", "worker", "guest", "user"];
const secrets = [
  `select password_hash from "user".account`,
  `select refresh_token_id from "user".session`,
  `select previous_refresh_token_id from "user".session`,
  `select access_token_id from "user".session`,
  `select code_hash from platform.otp_transaction`,
  `select * from "user".account`,
  `select * from private.known_client`,
  `select * from private.setting_definition`,
  `select * from migration.applied`,
];

describe("in production the admin, and so a thief of latchkey_graphql,", () => {
  test.beforeAll(({ database, person: _person }) =>
    database.query("update private.installation set production = true"),
  );
  test.afterAll(({ database }) => database.query("update private.installation set production = false"));

  test.for([
    ["OTP_TEST_NUMBERS", { "+12125550100": { code: "424242", until: "9999-12-31T00:00:00Z" } }],
    ["OTP_TEST_NUMBERS_IN_PRODUCTION", "on"],
    ["OTP_LENGTH", 4],
    ["OTP_MAX_ATTEMPTS", 100],
    ["PHONE_RECYCLED_AFTER_DAYS", 1],
  ])("does not set %s to %o", async ([key, value], { attempt, database }) => {
    const before = await storedSetting(database, key as string);
    const write = `insert into settings.configuration (key, value) values ('${key as string}', '${JSON.stringify(value)}')
       on conflict (key) do update set value = excluded.value`;
    expect(await attempt("admin", write)).toBe(checkViolation);
    expect(await storedSetting(database, key as string)).toEqual(before);
  });
});

describe.each([...anyone, "admin"])("%s", (who) => {
  test.for(secrets)("cannot %s", async (sql, { attempt }) => {
    expect(await attempt(who, sql)).toBe(denied);
  });

  test.for([
    "set role latchkey_owner",
    "set session authorization latchkey_owner",
    "create schema mine",
    "create table public.mine ()",
    "create function public.mine() returns int language sql as 'select 1'",
    "alter role current_user superuser",
    "alter role latchkey_owner login",
    `alter table "user".account disable row level security`,
    `drop policy "a user sees its own account" on "user".account`,
    `truncate "user".session`,
    "select private.new_id()",
    "select private.revoke_sessions_of_user(gen_random_uuid())",
    "select crypto.gen_random_bytes(8)",
    "copy (select 1) to program 'id'",
    "select pg_read_file('/etc/passwd')",
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres'",
    "grant latchkey_admin to latchkey_server",
    "select lo_creat(-1)",
    "select lo_from_bytea(0, 'x')",
    "select pg_logical_emit_message(false, 'latchkey', 'x')",
  ])("cannot %s", async (sql, { attempt }) => {
    expect(await attempt(who, sql)).toBe(denied);
  });
});

describe("the settings and the queue", () => {
  test.for(anyone)("are closed to %s", async (who, { attempt }) => {
    expect(await attempt(who, "select * from settings.configuration")).toBe(denied);
    expect(await attempt(who, "update settings.configuration set value = '1'")).toBe(denied);
    expect(await attempt(who, "select * from platform.rate_limit")).toBe(denied);
  });
  test.for(["server", "guest", "user", "admin"])("the queue is closed to %s", async (who, { attempt }) => {
    expect(await attempt(who, "select graphile_worker.add_job('send_otp')")).toBe(denied);
    expect(await attempt(who, "select * from graphile_worker._private_jobs")).toBe(denied);
  });
});

describe("becoming somebody else", () => {
  test.for(["server", "worker"])("%s cannot become another role", async (who, { attempt }) => {
    for (const role of ["guest", "user", "admin", "graphql", "server", "worker"].filter((name) => name !== who)) {
      expect(await attempt(who, `set role latchkey_${role}`)).toBe(denied);
    }
  });

  test("GraphQL's login role without a role set can do nothing", async ({ attempt }) => {
    expect(await attempt("graphql", `select id from "user".session`)).toBe(denied);
    expect(await attempt("graphql", "set role latchkey_worker")).toBe(denied);
  });

  test.for(["server", "worker", "guest", "user", "admin"])(
    "%s calls the entry points of its own schema only",
    async (who, { attempt }) => {
      const api = await attempt(who, "select * from api.check_health()");
      const delivery = await attempt(who, "select delivery.providers_in_use()");
      expect(api === denied).toBe(who !== "server");
      expect(delivery === denied).toBe(who !== "worker");
    },
  );
});

describe("other people's rows", () => {
  test("a guest and a user who claim nothing, or another's id, see none of them", async ({ attempt }) => {
    for (const who of ["guest", "user"]) {
      for (const table of [`"user".session`, `"user".account`, "platform.otp_transaction"]) {
        expect(await attempt(who, `select id from ${table}`)).toEqual([]);
      }
    }
    expect(await attempt("user", `update "user".session set revoked_at = now()`)).toBe(denied);
    expect(await attempt("user", `delete from "user".account`)).toBe(denied);
    expect(await attempt("guest", `insert into "user".session (id) values (gen_random_uuid())`)).toBe(denied);
  });

  test("the admin sees phones, replaces none, and changes no password or attempt count", async ({
    attempt,
    person,
  }) => {
    expect(await attempt("admin", `select phone from "user".account`)).toEqual([{ phone: person.phone }]);
    expect(await attempt("admin", `update "user".account set password_hash = null`)).toBe(denied);
    expect(await attempt("admin", `update "user".account set phone = '+12125550000'`)).toBe(checkViolation);
    expect(await attempt("admin", "update platform.otp_transaction set attempts = 0")).toBe(denied);
  });
});
