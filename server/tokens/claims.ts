import { z } from "zod";

export type TokenUse = "access" | "refresh";

/** What a verified token says; ids are checked to be UUIDs, since SQL takes nothing else. */
export const claimsSchema = z.object({
  sid: z.uuid(),
  jti: z.uuid(),
  token_use: z.enum(["access", "refresh"]),
  exp: z.number(),
});
export type Claims = z.output<typeof claimsSchema>;

export type Verified = { claims: Claims } | { fault: "token_invalid" | "token_expired" };
