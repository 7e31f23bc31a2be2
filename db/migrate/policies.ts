import type pg from "pg";
import { grantees, schemas } from "../names.ts";

/**
 * Drops the policies of our tables and takes every right to them from our roles and from PUBLIC, before the policy
 * files are applied: a policy or grant that no file has any more is gone. Those of an operator's own roles stay.
 */
export async function dropPoliciesAndGrants(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop policy %I on %I.%I', p.policyname, p.schemaname, p.tablename) as statement
     from pg_catalog.pg_policies p
     where p.schemaname = any ($1) and p.roles::text[] && $2`,
    [schemas, grantees],
  );
  for (const { statement } of rows) await client.query(statement);
  const quoted = schemas.map((schema) => client.escapeIdentifier(schema)).join(", ");
  await client.query(`revoke all on all tables in schema ${quoted} from ${grantees.join(", ")}`);
}
