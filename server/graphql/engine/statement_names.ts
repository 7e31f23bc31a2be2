import type pg from "pg";

/** What a connection may keep prepared: clients can ask for any number of different statements. */
const maxKept = 100;

const kept = new WeakMap<pg.ClientBase, Set<string>>();

/**
 * The name under which a connection prepares a statement, so that it is parsed and planned once; undefined: it has enough.
 * The role is part of it: no plan made with one role's row-level security is ever another's, whatever PostgreSQL
 * makes of such a change (CVE-2024-10976).
 */
export function statementName(
  client: pg.ClientBase,
  role: string,
  name: string | undefined,
): string | undefined {
  if (!name) return undefined;
  // PostgreSQL looks at 63 bytes.
  const ours = `${role} ${name}`.slice(0, 63);
  const names = kept.get(client) ?? new Set();
  kept.set(client, names);
  if (!names.has(ours) && names.size >= maxKept) return undefined;
  names.add(ours);
  return ours;
}
