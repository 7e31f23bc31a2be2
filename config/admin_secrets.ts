import type { z } from "zod";
import { parseNamedSecrets, type NamedSecret } from "./named_secrets.ts";

/** A secret of role admin; the one of ADMIN_SECRET has no name. */
export interface AdminSecret {
  name: string | undefined;
  secret: string;
}

interface Variables {
  ADMIN_SECRET?: string | undefined;
  /** Undefined beside other faults, if it could not be parsed. */
  ADMIN_SECRETS?: readonly NamedSecret[];
}

/** Each request with an admin secret is compared with all of them. */
const most = 50;

/** Parses ADMIN_SECRETS. Two names of one secret are refused: the log could not say who acted. */
export function parseAdminSecrets(text: string, context: z.RefinementCtx): NamedSecret[] {
  const parsed = parseNamedSecrets(text, context, most);
  if (context.issues.length === 0 && new Set(parsed.map(({ secret }) => secret)).size < parsed.length)
    context.addIssue({ code: "custom", message: "must not name a secret twice: give each name a secret of its own" });
  return parsed;
}

/** Makes a schema refuse an environment without any admin secret, or with one that has both a name and none. */
export const requireAdminSecret = <Schema extends z.ZodType<Variables>>(schema: Schema): Schema =>
  schema
    .refine(({ ADMIN_SECRET, ADMIN_SECRETS }) => ADMIN_SECRET !== undefined || ADMIN_SECRETS?.length !== 0, {
      path: ["ADMIN_SECRET"],
      // config/environment.ts describes what is missing.
      error: "is missing",
      when: () => true,
    })
    .refine(({ ADMIN_SECRET, ADMIN_SECRETS }) => !ADMIN_SECRETS?.some(({ secret }) => secret === ADMIN_SECRET), {
      path: ["ADMIN_SECRETS"],
      error: "must not name the secret of ADMIN_SECRET: unset ADMIN_SECRET, or give the name a secret of its own",
      when: () => true,
    });

/** All secrets of role admin. */
export const adminSecretsOf = ({ ADMIN_SECRET, ADMIN_SECRETS = [] }: Variables): AdminSecret[] => [
  ...(ADMIN_SECRET === undefined ? [] : [{ name: undefined, secret: ADMIN_SECRET }]),
  ...ADMIN_SECRETS,
];
