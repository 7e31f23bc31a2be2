import type pg from "pg";
import { OperatorError } from "../runtime/operator_error.ts";
import { findSql, readSql, sha256 } from "./sql_files.ts";

/** Our schemas that hold functions. */
const schemas = ["private", "api", "delivery", "user", "platform", "settings"];

const files = (directory: string) => findSql("functions/*/*.sql", directory);

/** Changes when any function file does, or what the worker may do to its queue. */
export function functionsFingerprint(directory: string): string {
  const paths = [...files(directory), "queue.sql"];
  return sha256(paths.map((path) => `${path}\n${readSql(path, directory)}`).join("\n"));
}

/**
 * Re-applies every function file, then drops the functions that no file makes any more.
 * Entry points are dropped first, since "create or replace" cannot rename a parameter and nothing depends on them;
 * helpers are replaced in place, since triggers, policies and defaults may depend on them.
 */
export async function applyFunctions(client: pg.Client, directory: string): Promise<void> {
  // Files refer to each other in any order.
  await client.query("set local check_function_bodies = off");
  await client.query(dropFunctions("n.nspname in ('api', 'delivery')"));
  for (const path of files(directory)) {
    try {
      await client.query(readSql(path, directory));
    } catch (error) {
      throw new OperatorError(`db/${path}: ${(error as Error).message}`, { cause: error });
    }
  }
  const ours = schemas.map((schema) => `'${schema}'`).join(", ");
  // A function that this transaction made or replaced carries its id.
  await client.query(dropFunctions(`n.nspname in (${ours}) and p.xmin <> pg_current_xact_id()::xid`));
}

function dropFunctions(condition: string): string {
  return `
    do $drop$
    declare
      v_function regprocedure;
    begin
      for v_function in
        select p.oid::regprocedure from pg_catalog.pg_proc p
        join pg_catalog.pg_namespace n on n.oid = p.pronamespace
        where ${condition}
      loop
        execute format('drop function %s', v_function);
      end loop;
    end
    $drop$`;
}
