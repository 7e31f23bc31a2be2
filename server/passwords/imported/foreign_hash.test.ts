import { expect, test } from "vitest";
import { parseForeignHash } from "./foreign_hash.ts";
import { parseParameters } from "./foreign_parameters.ts";

const bcrypt = `$2b$10$${"a".repeat(22)}${"a".repeat(30)}y`;
const argon2 = (parameters: string, salt = "c2FsdHNhbHRzYWx0") =>
  `$argon2id$v=19$${parameters}$${salt}$${"A".repeat(43)}`;
const scrypt = (parameters: string, digest = "A".repeat(43)) => `$scrypt$${parameters}$c2FsdHNhbHRzYWx0$${digest}`;
const fbscrypt = (parameters: string, digest = `${"A".repeat(86)}==`) =>
  `$fbscrypt$v=1,${parameters}$c2FsdHNhbHQ=$${digest}`;
const signerKey = `${"B".repeat(86)}==`;

test.for([
  [bcrypt, "bcrypt"],
  [bcrypt.replace("2b", "2a"), "bcrypt"],
  [bcrypt.replace("2b", "2y"), "bcrypt"],
  [argon2("m=65536,t=4,p=4"), "argon2id"],
  [argon2("m=131072,t=2,p=1"), "argon2id"],
  [argon2("m=65536,p=4,t=3"), "argon2id"],
  [scrypt("ln=17,r=8,p=1"), "scrypt"],
  [scrypt("ln=14,r=8,p=16"), "scrypt"],
  // An example of passlib's documentation, and one of Django's.
  ["$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44", "pbkdf2"],
  ["$pbkdf2-sha512$i=210000,l=64$c2FsdHNhbHRzYWx0$" + "A".repeat(86), "pbkdf2"],
  ["pbkdf2_sha256$600000$c2FsdHNhbHRzYWx0$" + `${"A".repeat(43)}=`, "pbkdf2"],
  [fbscrypt(`n=14,r=8,p=1,ss=Bw==,sk=${signerKey}`), "fbscrypt"],
  [fbscrypt(`n=14,r=8,p=1,ss=,sk=${signerKey}`), "fbscrypt"],
] as const)("%s is %s", ([text, scheme]) => {
  const hash = parseForeignHash(text);
  expect(parseParameters(hash.prefix)?.scheme).toBe(scheme);
  expect(hash.prefix, "the digest is apart").not.toContain(hash.digest);
});

const notAHash = "the password hash is none of";
test.for([
  ["", notAHash],
  ["plain text", notAHash],
  ["5f4dcc3b5aa765d61d8327deb882cf99", notAHash],
  ["$1$saltsalt$2vnaRpHa6Jxjz5n83ok8Z0", notAHash],
  ["$argon2i$v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", notAHash],
  [argon2("m=65536,t=3,p=4").replace("v=19", "v=16"), notAHash],
  [argon2("t=3,m=65536,t=4"), notAHash],
  [argon2("m=65536,t=3,p=4,k=1"), notAHash],
  [argon2("m=65536,t=3"), notAHash],
  [argon2("m=00000065536,t=3,p=4"), notAHash],
  [argon2("m=10000000,t=1,p=1"), notAHash],
  [bcrypt.slice(0, -1), notAHash],
  [`${bcrypt}y`, notAHash],
  [bcrypt.replace(/y$/, "z"), notAHash],
  [`${bcrypt}\n`, notAHash],
  [bcrypt.replace("$10$", "$03$"), "its cost must be 4 to 14"],
  [bcrypt.replace("$10$", "$15$"), "its cost must be 4 to 14"],
  [argon2("m=131073,t=1,p=1"), "more than 128 MiB of memory"],
  [argon2("m=65536,t=5,p=1"), "its memory times its passes is more than 256 MiB"],
  [argon2("m=65536,t=0,p=1"), "t must be 1 or more"],
  [argon2("m=7,t=1,p=1"), "m must be 8 × p or more"],
  [argon2("m=65536,t=1,p=17"), "p must be 1 to 16"],
  [argon2("m=65536,t=1,p=0"), "p must be 1 to 16"],
  [argon2("m=65536,t=1,p=1", "c2FsdA"), notAHash],
  [scrypt("ln=18,r=8,p=1"), "more than 128 MiB of memory"],
  [scrypt("ln=17,r=8,p=3"), "its memory times its passes is more than 256 MiB"],
  [scrypt("ln=0,r=8,p=1"), "log2 N and r must be 1 or more"],
  [scrypt("ln=16,r=1,p=1"), "log2 N must be less than 16 × r"],
  [scrypt("ln=14,r=8,p=1", "A".repeat(22)).slice(0, -8), notAHash],
  [scrypt("ln=14,r=8,p=1", "A".repeat(344)), "its digest must have 16 to 256 bytes"],
  ["$pbkdf2-sha256$2000001$c2FsdHNhbHRzYWx0$" + "A".repeat(43), "its rounds must be 1 to 2000000"],
  ["$pbkdf2-sha256$1000001$c2FsdHNhbHRzYWx0$" + "A".repeat(86), "its rounds must be 1 to 2000000"],
  ["$pbkdf2-sha512$1000001$c2FsdHNhbHRzYWx0$" + "A".repeat(86), "its rounds must be 1 to 1000000"],
  ["$pbkdf2-sha256$0$c2FsdHNhbHRzYWx0$" + "A".repeat(43), "its rounds must be 1 to 2000000"],
  ["$pbkdf2$1000$c2FsdHNhbHRzYWx0$" + "A".repeat(27), notAHash],
  ["pbkdf2_sha1$1000$saltsaltsalt$" + "A".repeat(27), notAHash],
  [fbscrypt("n=14,r=8,p=1,ss=Bw=="), notAHash],
  [fbscrypt(`n=14,r=8,p=1,ss=Bw==,sk=${signerKey}`, "A".repeat(43)), "signer key and digest must have the same"],
] as const)("%s is refused: %s", ([text, reason]) => {
  expect(() => parseForeignHash(text)).toThrow(RangeError);
  expect(() => parseForeignHash(text)).toThrow(reason);
  if (text.length > 10) expect(() => parseForeignHash(text)).not.toThrow(text.slice(-10));
});
