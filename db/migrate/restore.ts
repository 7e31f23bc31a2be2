import type pg from "pg";

/** Settles a restore, or the promotion of a standby, that nobody has settled. Result: lines to print. */
export async function settleRestore(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>("select line from private.settle_restore() r (line)");
  return rows.map(({ line }) => line);
}
