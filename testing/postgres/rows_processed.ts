import type pg from "pg";

interface PlanNode {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: PlanNode[];
}

const explainNested = `
  load 'auto_explain';
  set auto_explain.log_min_duration = 0;
  set auto_explain.log_nested_statements = on;
  set auto_explain.log_analyze = on;
  set auto_explain.log_timing = off;
  set auto_explain.log_format = json;
  set auto_explain.log_level = notice`;

/**
 * Rows that the steps of a statement's plans return or discard, those of the functions that it calls included. Unlike
 * the pages that it reads, they show a join of each row with each other row.
 */
export async function rowsProcessedBy(client: pg.Client, statement: string, values: unknown[]): Promise<number> {
  let rows = 0;
  const add = ({ message = "" }: { message?: string | undefined }) => {
    const plan = /^duration: .* plan:\n(.*)$/s.exec(message)?.[1];
    if (plan !== undefined) rows += rowsOf((JSON.parse(plan) as { Plan: PlanNode }).Plan);
  };
  await client.query(explainNested);
  client.on("notice", add);
  await client.query(statement, values);
  client.off("notice", add);
  return rows;
}

function rowsOf(node: PlanNode): number {
  const perLoop =
    node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0);
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), perLoop * node["Actual Loops"]);
}
