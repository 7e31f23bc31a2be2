/** A row of private.pepper_status. */
export interface Row {
  kind: string;
  pepper_id: string | null;
  total: string;
  until: Date | null;
}

interface Status {
  rows: readonly Row[];
  /** The pepper that hashes, as of the process that started last. */
  inForce: string | undefined;
  /** Those of HASH_PEPPER, the current one first. */
  named: readonly string[];
}

const kinds = ["passwords", "imported passwords", "registrations", "codes", "recovery codes", "apps"];

/** A table of what is under which pepper, and what that means for the previous one. */
export function formatStatus({ rows, inForce, named }: Status): string {
  const [current = ""] = named;
  const others = rows.map(({ pepper_id }) => pepper_id ?? "none").filter((id) => !named.includes(id));
  const ids = [...named, ...new Set(others)];
  const titleOf = (id: string) => `${id === current ? "current" : named.includes(id) ? "previous" : "not named"} ${id}`;
  const totalOf = (kind: string, id: string) =>
    rows.find((row) => row.kind === kind && (row.pepper_id ?? "none") === id)?.total ?? "0";
  const table = [["", ...ids.map(titleOf)], ...kinds.map((kind) => [kind, ...ids.map((id) => totalOf(kind, id))])];
  const widths = ["", ...ids].map((_title, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = table.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  return [...lines, "", ...adviceOf({ rows, inForce, named })].join("\n");
}

function adviceOf({ rows, inForce, named: [current, previous] }: Status): string[] {
  const under = (id: string | undefined) => rows.filter((row) => row.pepper_id === id && Number(row.total) > 0);
  const count = (id: string | undefined, kind: string) => under(id).find((row) => row.kind === kind)?.total ?? "0";
  if (inForce !== undefined && inForce !== current)
    return [
      inForce === previous
        ? `No process has started with the current pepper yet: the database still hashes under ${inForce}.`
        : `HASH_PEPPER does not name the pepper of this database, ${inForce}: no process would start with it.`,
    ];
  const lost = rows.filter(
    ({ pepper_id, total }) => pepper_id !== current && pepper_id !== previous && Number(total) > 0,
  );
  const advice = lost.length
    ? ["What is under a pepper that HASH_PEPPER does not name is void: people reset the password by a code."]
    : [];
  if (previous === undefined) return [...advice, ...(lost.length ? [] : ["Everything is under the current pepper."])];
  // A new one that stands second, before it hashes, looks the same.
  if (under(previous).length === 0)
    return [
      ...advice,
      "Nothing is under the second pepper: drop it if it is the old one, put it first if it is the new one.",
    ];
  const ends = under(previous).flatMap(({ until }) => until ?? []);
  if (ends.length > 0) {
    const last = new Date(Math.max(...ends.map(Number))).toISOString();
    advice.push(`Do not drop the previous pepper before ${last}: codes or registrations are under way until then.`);
  }
  return [
    ...advice,
    `If you drop it: ${count(previous, "passwords")} passwords and ${count(previous, "imported passwords")} imported ones are void, ` +
      "and their owners reset the password by a code;",
    `${count(previous, "recovery codes")} recovery codes are void, and their owners make new ones; ` +
      `${count(previous, "apps")} apps stop working, until an admin removes them (remove_factor).`,
  ];
}
