import { z } from "zod";

/** Base64 in the alphabet of the standard or of URLs: Firebase's export has the one, its Admin SDK the other. */
const bytes = z.string().transform((text) => Buffer.from(text, "base64"));
const number = z.coerce.number();

const bcrypt = z.object({ cost: number, salt: z.string() });
const argon2id = z.object({ m: number, t: number, p: number, salt: bytes });
const scrypt = z.object({ ln: number, r: number, p: number, salt: bytes });
/** passlib writes a dot where the standard alphabet has a plus sign. */
const passlibBytes = z.string().transform((text) => Buffer.from(text.replaceAll(".", "+"), "base64"));
const pbkdf2 = z.object({ hash: z.enum(["sha256", "sha512"]), rounds: number, salt: passlibBytes });
/** Django's salt is the text itself. */
const djangoPbkdf2 = pbkdf2.extend({ salt: z.string().transform((text) => Buffer.from(text)) });
const fbscrypt = scrypt.extend({ ss: bytes, sk: bytes });

/**
 * Costs and salt of a foreign hash, by its scheme. ln is log2 of scrypt's N; ss and sk are Firebase's salt separator
 * and signer key.
 */
export type ForeignParameters =
  | ({ scheme: "bcrypt" } & z.output<typeof bcrypt>)
  | ({ scheme: "argon2id" } & z.output<typeof argon2id>)
  | ({ scheme: "scrypt" } & z.output<typeof scrypt>)
  | ({ scheme: "pbkdf2" } & z.output<typeof pbkdf2>)
  | ({ scheme: "fbscrypt" } & z.output<typeof fbscrypt>);

/** Libraries write the parameters of Argon2 in different orders. */
const inAnyOrder = (...names: string[]): string =>
  names.map((name) => `(?=(?:\\w=\\d+,)*${name}=(?<${name}>\\d{1,7})(?!\\d))`).join("") +
  names.map(() => "\\w=\\d+").join(",");

const base64 = "[A-Za-z0-9+/]";
const anyBase64 = "[A-Za-z0-9+/_-]";
const patterns = {
  bcrypt: /^\$2[aby]\$(?<cost>\d\d)\$(?<salt>[./A-Za-z0-9]{22})$/,
  argon2id: new RegExp(`^\\$argon2id\\$v=19\\$${inAnyOrder("m", "t", "p")}\\$(?<salt>${base64}{11,86})$`),
  scrypt: new RegExp(`^\\$scrypt\\$ln=(?<ln>\\d{1,2}),r=(?<r>\\d{1,3}),p=(?<p>\\d{1,3})\\$(?<salt>${base64}{11,86})$`),
  pbkdf2: /^\$pbkdf2-(?<hash>sha256|sha512)\$(?:i=)?(?<rounds>\d{1,7})(?:,l=\d{1,3})?\$(?<salt>[./A-Za-z0-9+]{11,86})$/,
  djangoPbkdf2: /^pbkdf2_(?<hash>sha256)\$(?<rounds>\d{1,7})\$(?<salt>[A-Za-z0-9]{8,64})$/,
  fbscrypt: new RegExp(
    `^\\$fbscrypt\\$v=1,n=(?<ln>\\d{1,2}),r=(?<r>\\d{1,3}),p=(?<p>\\d{1,3}),` +
      `ss=(?<ss>${anyBase64}{0,86}={0,2}),sk=(?<sk>${anyBase64}{22,344}={0,2})\\$(?<salt>${anyBase64}{8,86}={0,2})$`,
  ),
};

/** Parses a foreign hash without its digest; undefined: it is of no scheme. */
export function parseParameters(prefix: string): ForeignParameters | undefined {
  const fieldsBy = (pattern: RegExp) => pattern.exec(prefix)?.groups;
  let fields;
  if ((fields = fieldsBy(patterns.bcrypt))) return { scheme: "bcrypt", ...bcrypt.parse(fields) };
  if ((fields = fieldsBy(patterns.argon2id))) return { scheme: "argon2id", ...argon2id.parse(fields) };
  if ((fields = fieldsBy(patterns.scrypt))) return { scheme: "scrypt", ...scrypt.parse(fields) };
  if ((fields = fieldsBy(patterns.pbkdf2))) return { scheme: "pbkdf2", ...pbkdf2.parse(fields) };
  if ((fields = fieldsBy(patterns.djangoPbkdf2))) return { scheme: "pbkdf2", ...djangoPbkdf2.parse(fields) };
  if ((fields = fieldsBy(patterns.fbscrypt))) return { scheme: "fbscrypt", ...fbscrypt.parse(fields) };
  return undefined;
}
