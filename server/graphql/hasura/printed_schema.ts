import "./graphile_env.ts";
import { join } from "node:path";
import type pg from "pg";
import { lexicographicSortSchema, printSchema } from "postgraphile/graphql";
import { makeAudienceSchema } from "./preset.ts";
import type { Audience } from "../../authorization/caller.ts";

/** The schema of an audience as the file in the repository has it. */
export async function printedSchema(pool: pg.Pool, audience: Audience): Promise<string> {
  const { schema } = await makeAudienceSchema(pool, audience);
  return `# Written by "npm run graphql:schema"; a test compares it with the database.\n\n${printSchema(lexicographicSortSchema(schema))}\n`;
}

export const schemaFile = (audience: Audience): string =>
  join(import.meta.dirname, `schema.${audience}.graphql`);
