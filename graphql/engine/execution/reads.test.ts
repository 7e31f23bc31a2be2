import { describe, expect } from "vitest";
import type { Queryable } from "../../../runtime/database/pipeline.ts";
import {
  anna,
  bea,
  pidOf,
  settingsOf,
  test as baseTest,
  whoAmI,
  someone,
  type Identity,
} from "./fixtures/reads_fixtures.ts";

const logInRole = { role: "latchkey_graphql", id: null };

describe.each(["the pool", "the shared connection"])("a read on %s", (where) => {
  const test = baseTest
    .extend("read", ({ pooledRead, sharedRead }) => (where === "the pool" ? pooledRead : sharedRead))
    .extend("readAsLogInRole", ({ onlyConnection, shared }) => {
      const connection: Queryable = where === "the pool" ? onlyConnection : shared;
      return () => connection.query<Identity>(whoAmI);
    });

  test("has the role and the claims of its caller, and leaves none behind", async ({ read, readAsLogInRole }) => {
    const reads = [anna, bea, anna].map((id) => read<Identity>(settingsOf(id), whoAmI, someone));
    const identities = (await Promise.all(reads)).map(({ rows }) => rows[0]);
    const role = "latchkey_user";
    expect(identities).toMatchObject([
      { role, id: anna },
      { role, id: bea },
      { role, id: anna },
    ]);
    expect((await readAsLogInRole()).rows).toMatchObject([logInRole]);
  });

  test("cannot write", async ({ read }) => {
    await expect(read(settingsOf(anna), { text: "create temporary table written ()" }, someone)).rejects.toThrow(
      /read-only/,
    );
  });

  test("fails with its own error, and fails no other read", async ({ read, readAsLogInRole }) => {
    const [before, failed, after] = await Promise.allSettled([
      read<Identity>(settingsOf(anna), whoAmI, someone),
      read(settingsOf(anna), { text: "select 1/0" }, someone),
      read<Identity>(settingsOf(bea), whoAmI, someone),
    ]);
    expect(before).toMatchObject({ status: "fulfilled", value: { rows: [{ id: anna }] } });
    expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    expect(after).toMatchObject({ status: "fulfilled", value: { rows: [{ id: bea }] } });
    expect((await readAsLogInRole()).rows).toMatchObject([logInRole]);
  });

  test("is not executed if the role cannot be set", async ({ read, database }) => {
    const settings = { ...settingsOf(anna), role: "latchkey_nobody" };
    // An advisory lock of the session would outlive the transaction.
    const result = read(settings, { text: "select pg_advisory_lock(4713)" }, someone);
    await expect(result).rejects.toThrow(/latchkey_nobody/);
    expect(await database.query("select from pg_locks where objid = 4713")).toEqual([]);
  });

  test("is not hindered by what a function of the application left on the connection", async ({ read }) => {
    const text = "select set_config('role', 'latchkey_admin', false)";
    await read(settingsOf(anna), { text }, someone);
    await read(settingsOf(bea), whoAmI, someone).catch(() => undefined);
    expect((await read<Identity>(settingsOf(anna), whoAmI, someone)).rows).toMatchObject([
      { role: "latchkey_user", id: anna },
    ]);
  });

  test("has the statement time-out of its settings", async ({ read }) => {
    const result = read({ ...settingsOf(anna), statement_timeout: "300" }, { text: "select pg_sleep(60)" }, someone);
    await expect(result).rejects.toMatchObject({ code: "57014" });
  });

  test("is refused when its rows are more than a response holds, and the connection stays", async ({ read }) => {
    const pid = await pidOf(read);
    for (const text of ["select repeat('x', 1000) from generate_series(1, 5000)", "select repeat('x', 5000000)"])
      await expect(read(settingsOf(anna), { text }, someone)).rejects.toMatchObject({ code: "limit-exceeded" });
    expect(await pidOf(read)).toBe(pid);
  });

  test("succeeds when a migration has changed the result of its prepared statement", async ({ read, database }) => {
    await database.query("drop table if exists public.changing");
    await database.query("create table public.changing as select 1 as a");
    await database.query("grant select on public.changing to latchkey_user");
    const query = { text: "select a from public.changing", name: "changing" };
    expect((await read(settingsOf(anna), query, someone)).rows).toEqual([{ a: 1 }]);
    await database.query("alter table public.changing alter column a type text");
    for (const rows of [[{ a: "1" }], [{ a: "1" }]])
      expect((await read(settingsOf(anna), query, someone)).rows).toEqual(rows);
  });
});
