import "./graphile_env.ts";
import { join } from "node:path";
import type pg from "pg";
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from "postgraphile/graphql";
import { createAudienceSchema } from "./preset.ts";
import type { Audience } from "../authorization/caller.ts";

/** Prints the schema of an audience, as its file in the repository contains it. */
export async function printedSchema(pool: pg.Pool, audience: Audience): Promise<string> {
  return printedText((await createAudienceSchema(pool, audience)).schema);
}

export const printedText = (schema: GraphQLSchema): string =>
  `# Written by "npm run generate"; a test compares it with the database.\n\n${printSchema(lexicographicSortSchema(schema))}\n`;

export const schemaFile = (audience: Audience): string => join(import.meta.dirname, `schema.${audience}.graphql`);
