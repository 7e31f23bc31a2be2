import { createHmac } from "node:crypto";
import { z } from "zod";
import type { PepperKey } from "../../config/secrets/derived_keys.ts";
import { parseForeignHash, type ForeignHash } from "../../server/passwords/imported/foreign_hash.ts";
import { toStored } from "../../server/passwords/imported/stored_parameters.ts";
import { normalizeEmail, normalizePhone } from "../../runtime/identifiers.ts";

/** The SQL type private.imported_user. */
export interface ImportedUser {
  phone: string;
  email: string | null;
  foreign_prehash: string | null;
  foreign_parameters: string | null;
  created_at: Date | null;
  fingerprint: Buffer;
  /** The id that the account keeps; null: it gets a new one. */
  id: string | null;
  /** The user's id in the other system, of another form than a UUID. */
  external_id: string | null;
}

export interface ImportKeys {
  passwordKey: PepperKey;
  importKey: Buffer;
}

const user = z.strictObject({
  phone: z.string("phone must be text"),
  email: z.string("email must be text").nullish(),
  password_hash: z.string("password_hash must be text").nullish(),
  created_at: z.union([z.string(), z.number()], "created_at must be text or a number").nullish(),
  id: z.uuid("id must be a UUID; give other ids as external_id").toLowerCase().nullish(),
  external_id: z
    .string("external_id must be text")
    .regex(/^[!-~]{1,255}$/, "external_id must be 1 to 255 printable ASCII characters without blanks")
    .nullish(),
});

/**
 * Parses one line.
 * @throws RangeError that says what is wrong, without any part of the line: it may hold a secret
 */
export function parseUser(line: string, { passwordKey, importKey }: ImportKeys): ImportedUser {
  const { data, error } = user.safeParse(parseJson(line), { reportInput: false });
  if (!data) throw new RangeError(describeIssue(error.issues[0]));
  const phone = normalizePhone(data.phone);
  if (phone === undefined) throw new RangeError("phone is not a valid number, written internationally with +");
  const email = data.email?.trim() ? normalizeEmail(data.email) : null;
  if (email === undefined) throw new RangeError("email is not a valid address");
  const created_at = parseTime(data.created_at ?? "");
  const ids = { id: data.id ?? null, external_id: data.external_id ?? null };
  const hash = data.password_hash ? parseForeignHash(data.password_hash) : undefined;
  return {
    phone,
    email,
    created_at,
    ...ids,
    ...(hash ? toStored(passwordKey, hash) : { foreign_prehash: null, foreign_parameters: null }),
    fingerprint: fingerprintOf(importKey, { phone, email, created_at, ...ids }, hash),
  };
}

/**
 * Covers the salt of the imported hash and not its digest: only bcrypt may be computed from the digest, so that
 * guessing stays slow.
 */
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
    return "a member is none of phone, email, password_hash, created_at, id and external_id";
  return issue && issue.path.length > 0 ? issue.message : "not a JSON object";
}

const isoPattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2})(?::?(\d{2}))?$/;
const epochPattern = /^\d{1,13}(\.\d{1,9})?$/;
const rfc1123Pattern = /^[A-Z][a-z]{2}, (\d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2}) GMT$/;

/**
 * Parses ISO 8601, also as PostgreSQL writes it, RFC 1123, and seconds or milliseconds since 1970; null where nothing
 * is given.
 * @throws RangeError
 */
function parseTime(time: string | number): Date | null {
  const text = String(time);
  if (text === "") return null;
  const parsed = epochPattern.test(text) ? parseEpoch(Number(text)) : (parseIso(text) ?? parseRfc1123(text));
  if (!parsed || Number.isNaN(parsed.getTime()))
    throw new RangeError(
      "created_at is not a time such as 2024-05-06T07:08:09Z, Mon, 06 May 2024 07:08:09 GMT or 1714979289",
    );
  if (parsed.getTime() > Date.now()) throw new RangeError("created_at is in the future");
  return parsed;
}

/** A number from the year 5138 on, were it seconds, is milliseconds: systems are younger than 1973. */
const parseEpoch = (value: number): Date => new Date(value < 100_000_000_000 ? value * 1_000 : value);

function parseIso(text: string): Date | undefined {
  const [, day, time, hours, minutes = "00"] = isoPattern.exec(text) ?? [];
  return z.iso.date().safeParse(day).success
    ? new Date(`${day}T${time}${hours === "Z" ? hours : `${hours}:${minutes}`}`)
    : undefined;
}

function parseRfc1123(text: string): Date | undefined {
  if (!rfc1123Pattern.test(text)) return undefined;
  const parsed = new Date(text);
  // JavaScript takes 31 Feb for 3 March, and any day of the week.
  return parsed.toUTCString() === text ? parsed : undefined;
}
