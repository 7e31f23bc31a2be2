import { z } from "zod";

const pepperRule =
  "must be 32 bytes or more in base64: generate them with: openssl rand -base64 32, or restore the pepper that this database's " +
  "passwords were hashed with; while it is rotated the new and the previous one, separated by a comma";
/** The pepper that hashes, and while it is rotated another one, under which what is there is verified. */
export const peppers = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .pipe(
    z
      .array(
        z
          .base64(pepperRule)
          .transform((text) => Buffer.from(text, "base64"))
          .refine((key) => key.length >= 32, pepperRule),
      )
      .max(2, "must name at most two peppers: the current one and the previous one")
      .refine((all) => new Set(all.map(String)).size === all.length, "must not name one pepper twice"),
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
