import type pg from "pg";

interface Plan {
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
}

/**
 * Pages that a statement reads, those of the functions that it calls included. It runs twice and is rolled back: the first time a
 * connection reads the catalogs, too.
 */
export async function pagesReadBy(client: pg.Client, statement: string): Promise<number> {
  let pages = 0;
  for (let turn = 0; turn < 2; turn++) {
    await client.query("begin");
    const { rows } = await client.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
      `explain (analyze, buffers, timing off, format json) ${statement}`,
    );
    await client.query("rollback");
    const { Plan } = rows[0]!["QUERY PLAN"][0]!;
    pages = Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
  }
  return pages;
}
