import type { z } from "zod";
import type { Nothing, Receipt } from "../../database/api_answers.ts";
import type { ServerConfig } from "../../../config/config.ts";
import type { Services } from "../../services.ts";

/** What presenters use: they sign tokens, and show a new secret once. */
export type PresenterServices = Pick<Services, "tokens" | "totpSecrets"> & {
  config: Pick<ServerConfig, "JWT_ISSUER">;
};

/** Shapes the data of a successful response. */
export interface Presenter<Data> {
  /** For the OpenAPI document; undefined: the answer has meta alone. */
  schema: z.ZodType | undefined;
  present: (data: Data, services: PresenterServices) => object | undefined;
}

/** @param title the name of the data in the OpenAPI document, and so in what others generate from it */
export const presenter = <Data, Schema extends z.ZodType<object>>(
  title: string,
  schema: Schema,
  present: (data: Data, services: PresenterServices) => z.output<Schema>,
): Presenter<Data> => ({ schema: schema.meta({ title }), present });

export const onlyMeta: Presenter<Nothing> = { schema: undefined, present: () => undefined };
/** What the function says of the message is for the log, and not for the vendor. */
export const takenReceipt: Presenter<Receipt> = { schema: undefined, present: () => undefined };
