import { z } from "zod";

/** PUBLIC_URL: where clients and vendors reach the server, perhaps below a path that a proxy removes. */
export const publicUrl = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && url.href === url.origin + url.pathname;
  }, "must have no user name, query or fragment")
  .transform((text) => new URL(text).href.replace(/(?<!\/)\/+$/, ""));

interface Variables {
  NODE_ENV: string;
  PUBLIC_URL?: string | undefined;
}

/**
 * Makes a schema refuse an unencrypted PUBLIC_URL in production, and report it beside the faults of other variables.
 */
export const requireEncryption = <Schema extends z.ZodType<Variables>>(schema: Schema): Schema =>
  schema.refine(({ NODE_ENV, PUBLIC_URL }) => NODE_ENV !== "production" || !PUBLIC_URL?.startsWith("http:"), {
    path: ["PUBLIC_URL"],
    error: "must be https in production",
    when: () => true,
  });

/** Where a vendor sends its delivery receipts: a route of server/rest/routes.ts. */
export const receiptUrl = (base: string, provider: string): string => `${base}/api/v1/otp/receipts/${provider}`;
