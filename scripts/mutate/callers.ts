import { findSql, functionName, readSql } from "../../db/sql_files.ts";

/** The files of db/functions and db/policies, and the names by which other files call the functions. */
const files = findSql(["functions/**/*.sql", "policies/*/*.sql"]).map((path) => ({
  path,
  text: readSql(path),
}));

/** The file and the files whose functions or policies call it, directly or through others, nearest first. */
export function withCallers(path: string): string[] {
  const found = [path];
  // The array grows while it is read: a breadth-first search.
  for (const callee of found) {
    const [schema, name] = functionName(callee).split(".");
    const call = new RegExp(`\\b${schema}"?\\.${name}\\b`);
    found.push(...files.filter((file) => !found.includes(file.path) && call.test(file.text)).map((f) => f.path));
  }
  return found;
}
