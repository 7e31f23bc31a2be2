import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { test } from "../../testing/fixtures.ts";
import { runPgtapSql } from "../../testing/postgres/pgtap_runner.ts";
import { shared } from "../../testing/run/shared.ts";

const read = (file: string) => readFileSync(`${import.meta.dirname}/${file}`, "utf8");
const isMissing = (await shared("pgtapDatabases")).length === 0;

test.skipIf(isMissing)(
  "the example's pgTAP passes as the owner of the database, which is no superuser",
  async ({ database }) => {
    await database.query("create schema tap; create extension pgtap schema tap; grant usage on schema tap to public");
    const owner = database.env.DATABASE_URL ?? "";
    const { failures, planned, count } = await runPgtapSql(owner, `${read("schema.sql")}; ${read("schema.pgtap.sql")}`);
    expect(failures).toEqual([]);
    expect([planned, count]).toEqual([11, 11]);
  },
);
