import { describe, expect } from "vitest";
import { test } from "./fixtures/database_fixtures.ts";
import { schemas } from "./names.ts";
import { dumpSchema } from "./migrate/schema_dump.ts";
import { readSql } from "./sql_files.ts";

/**
 * Checks that need programs and an extension which the embedded PostgreSQL lacks:
 * LATCHKEY_POSTGRES_BIN=/usr/lib/postgresql/15/bin npm run test:run -- db/static_checks (Debian:
 * postgresql-15-plpgsql-check). npm run generate -- database rewrites db/schema.sql.
 */
const bin = process.env.LATCHKEY_POSTGRES_BIN;

describe.skipIf(bin === undefined)("on an installed PostgreSQL", () => {
  test("plpgsql_check finds nothing in any function", async ({ database }) => {
    // The trigger function that tables of an application have is checked for one of them.
    await database.query(`create extension plpgsql_check;
      create table public.noted (id integer); select latchkey.notify_changes('public.noted')`);
    const checked = await database.query<{ name: string; finding: string | null }>(
      `select p.oid::regprocedure::text as name, finding
       from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace
       join pg_language l on l.oid = p.prolang
       left join pg_trigger t on t.tgfoid = p.oid and not t.tgisinternal
       left join lateral plpgsql_check_function(p.oid, coalesce(t.tgrelid, 0), security_warnings => true,
         performance_warnings => true, extra_warnings => true, oldtable => t.tgoldtable) finding on true
       where l.lanname = 'plpgsql' and n.nspname = any ($1)`,
      [schemas],
    );
    expect(checked.length).toBeGreaterThan(30);
    expect(checked.filter(({ finding }) => finding !== null)).toEqual([]);
  });

  test("SQL functions pass PostgreSQL's validator, which is off while they are re-applied", async ({ database }) => {
    const names = await database.query<{ oid: number; name: string }>(
      `select p.oid, p.oid::regprocedure::text as name from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
       where l.lanname = 'sql' and n.nspname = any ($1)`,
      [schemas],
    );
    expect(names.length).toBeGreaterThan(15);
    for (const { oid, name } of names) {
      await expect(database.query("select fmgr_sql_validator($1)", [oid]), name).resolves.toBeDefined();
    }
  });

  test("db/schema.sql is the schema that the migrations make", ({ database }) => {
    expect(dumpSchema(database.superuserUrl, bin ?? "")).toBe(readSql("schema.sql"));
  });
});
