import { z } from "zod";

const pepperRule =
  "must be 32 bytes or more in base64: generate them with: openssl rand -base64 32, or restore the pepper that this database's " +
  "passwords were hashed with; while it is rotated the new and the previous one, separated by a comma";
/** Keys of 32 bytes or more in base64, by commas. @param rule the sentence for a wrong one @param what one is called */
const keyList = (rule: string, what: string) =>
  z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(
      z
        .array(
          z
            .base64(rule)
            .transform((text) => Buffer.from(text, "base64"))
            .refine((key) => key.length >= 32, rule),
        )
        .max(2, `must name at most two ${what}s: the current one and the previous one`)
        .refine((all) => new Set(all.map(String)).size === all.length, `must not name one ${what} twice`),
    );
/** The pepper that hashes, and while it is rotated another one, under which what is there is verified. */
export const peppers = keyList(pepperRule, "pepper");
/** The key that encrypts signing keys, and while it is replaced another one, which only decrypts. */
export const keyEncryptionKeys = keyList(
  "must be 32 bytes or more in base64: generate them with: openssl rand -base64 32; while it is replaced the new and the previous one, separated by a comma",
  "key",
);
/** Standard Webhooks: "whsec_" and the key, 24 to 64 bytes, in base64. */
export const signingSecret = z.string().refine((text) => {
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  return key !== undefined && key.length >= 32 && key.length <= 88;
}, "must be whsec_ and 24 to 64 bytes in base64");
export const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" });
export const smtpUrl = z
  .url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" })
  .refine((text) => {
    const { username = "", password = "" } = URL.parse(text) ?? {};
    try {
      decodeURIComponent(username + password);
      return true;
    } catch {
      return false;
    }
  }, "must write a % in the user name or password as %25");
export const integer = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.coerce.number(message).int(message).min(minimum, message).max(maximum, message);
};
export const poolSize = integer(1, 500);
export const onOff = z.enum(["on", "off"]);
export const isOn = (value: "on" | "off"): boolean => value === "on";
