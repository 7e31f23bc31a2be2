import type { z } from "zod";

const splitList = (text: string): string[] => text.split(",").map((item) => item.trim());

const parseNames =
  (pattern: RegExp, message: string) =>
  (text: string, context: z.RefinementCtx): string[] => {
    const names = splitList(text);
    if (!names.every((name) => pattern.test(name))) context.addIssue({ code: "custom", message });
    return names;
  };

/** Parses GRAPHQL_SCHEMAS: names as the catalog has them, separated by commas. */
export const parseSchemas = parseNames(
  /^[^\s",.]+$/,
  "must be names of schemas, separated by commas, such as public, shop: without quotes, in the case that the database has",
);

/** Parses GRAPHQL_ALLOW_WITHOUT_RLS. */
export const parseTables = parseNames(
  /^[^\s",.]+\.[^\s",.]+$/,
  "must be tables with their schema, separated by commas, such as public.country: without quotes, in the case that the database has",
);
