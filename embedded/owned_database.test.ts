import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ensureDatabase } from "./owned_database.ts";
import { query } from "./fixtures/embedded_harness.ts";
import { startNewCluster } from "../testing/postgres/new_cluster.ts";

test("a database and its owner are created once, and only roles with a grant may connect", async () => {
  const running = await startNewCluster({ log_statement: "all" });
  const options = { role: 'o"wner ä', password: "p@ss:/? wörd\uFB01", database: "latch key's" };
  const url = await ensureDatabase(running, options);
  expect(await query(url, "select current_user as role, current_database() as database")).toEqual([
    { role: options.role, database: options.database },
  ]);
  const [rights] = await query(
    url,
    `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, pg_catalog.has_database_privilege(
       current_database(), 'create') as owns from pg_roles where rolname = current_user`,
  );
  expect(rights).toEqual({
    rolsuper: false,
    rolcreaterole: true,
    rolcreatedb: false,
    rolbypassrls: false,
    owns: true,
  });

  await query(url, "create table kept (); create role stranger login");
  await query(running.superuserUrl, "alter role stranger password 'x'");
  const asStranger = url.replace(/\/\/.*@/, "//stranger:x@");
  await expect(query(asStranger, "select")).rejects.toThrow("permission denied for database");

  expect(await ensureDatabase(running, options)).toBe(url);
  const renewed = await ensureDatabase(running, { ...options, password: "another" });
  await expect(query(url, "select")).rejects.toThrow("password authentication failed");
  expect(await query(renewed, "select count(*)::int as kept from pg_tables where tablename = 'kept'")).toEqual([
    { kept: 1 },
  ]);
  await running.stop();
});

test("neither password reaches the log, and calls may run in parallel", async () => {
  const running = await startNewCluster({ log_statement: "all", log_min_duration_statement: "0" });
  const urls = await Promise.all(
    ["one", "two", "three"].map((database) =>
      ensureDatabase(running, { role: "shared", password: "open sesame", database }),
    ),
  );
  for (const url of urls) await query(url, "select");
  const log = readFileSync(running.log, "utf8");
  expect(log).toContain("SCRAM-SHA-256$4096");
  expect(log).not.toContain("open sesame");
  expect(log).not.toContain(new URL(running.superuserUrl).password);
  await running.stop();
});
