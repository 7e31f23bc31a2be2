import type pg from "pg";
import { OperatorError } from "../../runtime/operator_error.ts";

interface Migrator {
  role: string;
  superuser: boolean;
  database: string;
  owner: string;
  owns: boolean;
  read_only: boolean;
  /**
   * Whether the role may act as latchkey_owner, which owns the objects of earlier migrations; null before the first.
   */
  member: boolean | null;
  /** Owner of the queue's schema; null before the first migration. */
  queue_owner: string | null;
}

/**
 * Refuses a migrator that does not own the database, because its grants there would have no effect. In production it
 * also refuses a superuser: a later migration by the owner would lack rights over the roles that the superuser created.
 */
export async function refuseForeignMigrator(
  client: pg.Client,
  { production }: { production: boolean },
  say: (line: string) => void,
): Promise<void> {
  const { rows } = await client.query<Migrator>(
    `select r.rolname as role, r.rolsuper as superuser, d.datname as database, d.datdba::regrole::text as owner,
            pg_has_role(r.oid, d.datdba, 'usage') as owns, current_setting('transaction_read_only')::boolean as read_only,
            (select pg_has_role(r.oid, c.relowner, 'member') from pg_catalog.pg_class c
             where c.relnamespace = to_regnamespace('migration') and c.relname = 'fingerprint') as member,
            (select n.nspowner::regrole::text from pg_catalog.pg_namespace n where n.nspname = 'graphile_worker') as queue_owner
     from pg_catalog.pg_roles r, pg_catalog.pg_database d
     where r.rolname = current_user and d.datname = current_database()`,
  );
  const [found] = rows;
  if (!found) return;
  const { role, superuser, database, owner, owns, member, read_only: isReadOnly, queue_owner: queueOwner } = found;
  if (isReadOnly)
    throw new OperatorError("The database of DATABASE_URL is read-only: the address has to lead to the primary.");
  if (!owns)
    throw new OperatorError(
      `DATABASE_URL must name the owner of the database ${database}, which is ${owner}, not ${role}.`,
    );
  if (member === false)
    throw new OperatorError(
      `Another role than ${role} migrated the database ${database} before. To go on as ${role}, run as superuser: ` +
        `grant latchkey_owner, latchkey_guest, latchkey_user, latchkey_admin, latchkey_server, latchkey_graphql, latchkey_worker to ${role} with admin option;`,
    );
  if (queueOwner !== null && queueOwner !== "latchkey_owner")
    throw new OperatorError(
      `The schema graphile_worker of the database ${database} belongs to ${queueOwner}: Latchkey needs one of its own, which belongs to latchkey_owner. ` +
        "If nothing else uses it, drop it (drop schema graphile_worker cascade). Otherwise give Latchkey another database.",
    );
  if (!superuser) return;
  const sentence = `DATABASE_URL names the superuser ${role}: create a role that owns the database, with CREATEROLE (docs/installation.md).`;
  if (production) throw new OperatorError(sentence);
  say(`warning: ${sentence}`);
}
