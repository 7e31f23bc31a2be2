import type pg from "pg";

// A connection's counts grow until it reports them, so one statement's count is a difference.
const countPages = `
  select sum(pg_stat_get_xact_blocks_fetched(c.oid))::integer as pages from pg_class c
  where c.relnamespace <> all (array['pg_catalog', 'pg_toast']::regnamespace[])`;

/**
 * Pages of our tables and indexes that a statement reads, those of the functions that it calls included. It is rolled
 * back. The catalogs are not counted: a connection reads thousands of their pages again after other connections have
 * changed many of them.
 */
export async function pagesReadBy(client: pg.Client, statement: string): Promise<number> {
  const counted = async () => (await client.query<{ pages: number }>(countPages)).rows[0]!.pages;
  await client.query("begin");
  const before = await counted();
  await client.query(statement);
  const after = await counted();
  await client.query("rollback");
  if (after === before) throw new Error("PostgreSQL has counted no page");
  return after - before;
}
