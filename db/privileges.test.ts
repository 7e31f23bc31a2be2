import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migratorConfig } from "../config/config.ts";
import { signUp, type Person } from "../testing/people.ts";
import { startService, type Service } from "../testing/service.ts";

/**
 * What somebody can do who holds a role's connection. The catalog's side of it is in tests/structure/;
 * this is the hostile one, over real connections with the roles' own passwords.
 */
let service: Service;
let person: Person;
let connections: Record<string, pg.Client>;

beforeAll(async () => {
  service = await startService();
  person = await signUp(service);
  const config = migratorConfig(service.database.env);
  const connect = async (url: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  };
  connections = {
    server: await connect(config.SERVER_DATABASE_URL),
    worker: await connect(config.WORKER_DATABASE_URL),
    guest: await become(await connect(config.GRAPHQL_DATABASE_URL), "guest"),
    user: await become(await connect(config.GRAPHQL_DATABASE_URL), "user"),
    admin: await become(await connect(config.GRAPHQL_DATABASE_URL), "admin"),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(connections).map((client) => client.end()));
  await service.stop();
});

async function become(client: pg.Client, role: string): Promise<pg.Client> {
  await client.query(`set role latchkey_${role}`);
  return client;
}

/** The SQLSTATE that a statement fails with, or the rows that it gives. */
async function attempt(who: string, sql: string): Promise<string | unknown[]> {
  try {
    const result = await connections[who]!.query(sql);
    return result.rows as unknown[];
  } catch (error) {
    return (error as pg.DatabaseError).code ?? (error as Error).message;
  }
}
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

describe.each([...anyone, "admin"])("%s", (who) => {
  test.each(secrets)("cannot %s", async (sql) => {
    expect(await attempt(who, sql)).toBe(denied);
  });

  test.each([
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
  ])("cannot %s", async (sql) => {
    expect(await attempt(who, sql)).toBe(denied);
  });
});

describe("the settings and the queue", () => {
  test.each(anyone)("are closed to %s", async (who) => {
    expect(await attempt(who, "select * from settings.configuration")).toBe(denied);
    expect(await attempt(who, "update settings.configuration set value = '1'")).toBe(denied);
    expect(await attempt(who, "select * from platform.rate_limit")).toBe(denied);
  });
  test.each(["server", "guest", "user", "admin"])("the queue is closed to %s", async (who) => {
    expect(await attempt(who, "select graphile_worker.add_job('send_otp')")).toBe(denied);
    expect(await attempt(who, "select * from graphile_worker._private_jobs")).toBe(denied);
  });
});

describe("becoming somebody else", () => {
  test.each(["server", "worker"])("%s cannot become any role of GraphQL", async (who) => {
    for (const role of ["guest", "user", "admin", "graphql", "server", "worker"].filter(
      (name) => name !== who,
    )) {
      expect(await attempt(who, `set role latchkey_${role}`)).toBe(denied);
    }
  });

  test("GraphQL's log-in role without a role set can do nothing", async () => {
    const client = new pg.Client({
      connectionString: migratorConfig(service.database.env).GRAPHQL_DATABASE_URL,
    });
    await client.connect();
    await expect(client.query(`select id from "user".session`)).rejects.toMatchObject({ code: denied });
    await expect(client.query("set role latchkey_worker")).rejects.toMatchObject({ code: denied });
    await client.end();
  });

  test.each(["server", "worker", "guest", "user", "admin"])(
    "%s calls the entry points of its own schema only",
    async (who) => {
      const api = await attempt(who, "select * from api.check_health()");
      const delivery = await attempt(who, "select delivery.installed_migration()");
      expect(api === denied).toBe(who !== "server");
      expect(delivery === denied).toBe(who !== "worker");
    },
  );
});

describe("other people's rows", () => {
  test("a guest and a user who claim nothing, or another's id, see none of them", async () => {
    for (const who of ["guest", "user"]) {
      for (const table of [`"user".session`, `"user".account`, "platform.otp_transaction"]) {
        expect(await attempt(who, `select id from ${table}`)).toEqual([]);
      }
    }
    expect(await attempt("user", `update "user".session set revoked_at = now()`)).toBe(denied);
    expect(await attempt("user", `delete from "user".account`)).toBe(denied);
    expect(await attempt("guest", `insert into "user".session (id) values (gen_random_uuid())`)).toBe(denied);
  });

  test("the admin sees phones, replaces none, and changes no password or attempt count", async () => {
    expect(await attempt("admin", `select phone from "user".account`)).toEqual([{ phone: person.phone }]);
    expect(await attempt("admin", `update "user".account set password_hash = null`)).toBe(denied);
    expect(await attempt("admin", `update "user".account set phone = '+12125550000'`)).toBe(checkViolation);
    expect(await attempt("admin", "update platform.otp_transaction set attempts = 0")).toBe(denied);
  });
});
