import { z } from "zod";

/** Claims that have a meaning of their own in our access tokens. */
const ownClaims = new Set(
  "iss sub aud exp nbf iat jti sid user_type token_use client_id amr auth_time cnf https://hasura.io/jwt/claims".split(
    " ",
  ),
);

/** CLAIMS_ROLE: the claim in which PostgREST and its kin look for the database role. */
export const claimsRole = z
  .string()
  .regex(/^[\w:/.-]{1,100}$/, "must be 1 to 100 letters, digits or any of _ : / . -")
  .refine((name) => !ownClaims.has(name), "must not be a claim that tokens have already");

const databaseRole = z.string().min(1).max(63);
const roleMap = z.strictObject({ guest: databaseRole.optional(), user: databaseRole.optional() });
const mapRule =
  'must be a JSON object from guest and user to names of database roles, for example {"user": "latchkey_user"}';

/** CLAIMS_ROLE_MAP: the value of that claim for each of our roles. One that it leaves out keeps its own name. */
export const claimsRoleMap = z.string().transform((text, context): z.output<typeof roleMap> => {
  try {
    return roleMap.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: "custom", message: mapRule });
    return z.NEVER;
  }
});
