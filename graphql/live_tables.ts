import type pg from "pg";
import { tableDigest } from "../runtime/database/notifications.ts";
import { ownSchemas } from "./hasura/schemas.ts";
import type { LiveTables } from "./hasura/subscriptions.ts";

/**
 * Finds the tables for which latchkey.notify_changes was called, and the views that read them.
 * @param schemas the application's
 */
export async function findLiveTables(query: pg.Pool["query"], schemas: readonly string[]): Promise<LiveTables> {
  const { rows } = await query<{ reader: string; schema: string; name: string }>(
    `with recursive live as (
       select distinct t.tgrelid as table_id, t.tgrelid as reader from pg_catalog.pg_trigger t
         join pg_catalog.pg_proc p on p.oid = t.tgfoid
       where p.pronamespace = to_regnamespace('latchkey') and t.tgenabled <> 'D'
       union
       select live.table_id, w.ev_class from live
         join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass
           and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = live.reader
         join pg_catalog.pg_rewrite w on w.oid = d.objid
     )
     select distinct rn.nspname || '.' || r.relname as reader, tn.nspname as schema, t.relname as name
     from live join pg_catalog.pg_class r on r.oid = live.reader join pg_catalog.pg_namespace rn on rn.oid = r.relnamespace
       join pg_catalog.pg_class t on t.oid = live.table_id join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
     where rn.nspname = any ($1)`,
    [[...ownSchemas, ...schemas]],
  );
  const live = new Map<string, string[]>();
  for (const { reader, schema, name } of rows)
    live.set(reader, [...(live.get(reader) ?? []), tableDigest(schema, name)]);
  return live;
}
