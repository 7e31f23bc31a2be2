import type { z } from "zod";
import type { Nothing } from "../../database/api_answers.ts";
import type { Tokens } from "../../tokens/tokens.ts";

/** Shapes the data of a successful response. */
export interface Presenter<Data> {
  /** For the OpenAPI document; undefined: the answer has meta alone. */
  schema: z.ZodType | undefined;
  present: (data: Data, tokens: Tokens) => object | undefined;
}

/** @param title the name of the data in the OpenAPI document, and so in what others generate from it */
export const presenter = <Data, Schema extends z.ZodType<object>>(
  title: string,
  schema: Schema,
  present: (data: Data, tokens: Tokens) => z.output<Schema>,
): Presenter<Data> => ({ schema: schema.meta({ title }), present });

export const onlyMeta: Presenter<Nothing> = { schema: undefined, present: () => undefined };
