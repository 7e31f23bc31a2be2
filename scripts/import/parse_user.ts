import { createHmac } from "node:crypto";
import { z } from "zod";
import { parseForeignHash, type ForeignHash } from "../../server/rest/foreign_passwords/foreign_hash.ts";
import { toStored } from "../../server/rest/foreign_passwords/stored_parameters.ts";
import { normalizeEmail, normalizePhone } from "../../server/rest/identifiers.ts";

/** The SQL type private.imported_user. */
export interface ImportedUser {
  phone: string;
  email: string | null;
  foreign_prehash: string | null;
  foreign_parameters: string | null;
  created_at: Date | null;
  fingerprint: Buffer;
}

export interface ImportKeys {
  passwordKey: Buffer;
  importKey: Buffer;
}

const user = z.strictObject({
  phone: z.string("phone must be text"),
  email: z.string("email must be text").nullish(),
  password_hash: z.string("password_hash must be text").nullish(),
  created_at: z.string("created_at must be text").nullish(),
});

/**
 * Parses one line.
 * @throws RangeError that says what is wrong, without any part of the line: it may hold a secret
 */
export function parseUser(line: string, { passwordKey, importKey }: ImportKeys): ImportedUser {
  const { data, error } = user.safeParse(parseJson(line), { reportInput: false });
  if (!data) throw new RangeError(describeIssue(error.issues[0]));
  const phone = normalizePhone(data.phone);
  if (phone === undefined)
    throw new RangeError("phone is not a valid number, written internationally with +");
  const email = data.email?.trim() ? normalizeEmail(data.email) : null;
  if (email === undefined) throw new RangeError("email is not a valid address");
  const created_at = data.created_at ? parseTime(data.created_at) : null;
  const hash = data.password_hash ? parseForeignHash(data.password_hash) : undefined;
  return {
    phone,
    email,
    created_at,
    ...(hash ? toStored(passwordKey, hash) : { foreign_prehash: null, foreign_parameters: null }),
    fingerprint: fingerprintOf(importKey, { phone, email, created_at }, hash),
  };
}

/** Covers the salt of the imported hash and not its digest: only bcrypt may be computed from the digest, so that guessing stays slow. */
function fingerprintOf(importKey: Buffer, fields: object, hash: ForeignHash | undefined): Buffer {
  return createHmac("sha256", importKey)
    .update(JSON.stringify([fields, hash?.prefix ?? null]))
    .digest();
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new RangeError("not JSON");
  }
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "unrecognized_keys")
    return "a member is none of phone, email, password_hash and created_at";
  return issue && issue.path.length > 0 ? issue.message : "not a JSON object";
}

const timePattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2})(?::?(\d{2}))?$/;

/** ISO 8601, or as PostgreSQL writes it. */
function parseTime(text: string): Date {
  const [, day, time, hours, minutes = "00"] = timePattern.exec(text) ?? [];
  const parsed = new Date(`${day}T${time}${hours === "Z" ? hours : `${hours}:${minutes}`}`);
  const { success } = z.iso.date().safeParse(day);
  if (!success || Number.isNaN(parsed.getTime()))
    throw new RangeError("created_at is not a time such as 2024-05-06T07:08:09Z");
  if (parsed.getTime() > Date.now()) throw new RangeError("created_at is in the future");
  return parsed;
}
