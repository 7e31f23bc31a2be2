import { z } from "zod";

export type TokenUse = "access" | "refresh";

/** The claims of a verified token. Ids are checked to be UUIDs, because SQL accepts nothing else. */
export const claimsSchema = z.object({
  /** The user's id, or a guest's session id. */
  sub: z.uuid(),
  sid: z.uuid(),
  jti: z.uuid(),
  token_use: z.enum(["access", "refresh"]),
  exp: z.number(),
});
export type Claims = z.output<typeof claimsSchema>;

/** Undefined for a guest. */
export const userOfClaims = ({ sub, sid }: Claims): string | undefined => (sub === sid ? undefined : sub);

export type Verified = { claims: Claims } | { fault: "token_invalid" | "token_expired" };
