import { pbkdf2Sync, randomBytes, scryptSync } from "node:crypto";
import { hash as argon2Hash } from "argon2";
import { hashSync as bcryptHash } from "bcryptjs";
import { FirebaseScrypt } from "firebase-scrypt";

const encode = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
function phcScrypt(password: string, { ln = 10, r = 8, p = 1, bytes = 32 } = {}): string {
  const salt = randomBytes(16);
  const digest = scryptSync(password, salt, bytes, { N: 2 ** ln, r, p });
  return `$scrypt$ln=${ln},r=${r},p=${p}$${encode(salt)}$${encode(digest)}`;
}

/** passlib's form, with its alphabet. */
function passlibPbkdf2(password: string, hash: "sha256" | "sha512", rounds: number): string {
  const ab64 = (bytes: Buffer) => encode(bytes).replaceAll("+", ".");
  const salt = randomBytes(16);
  const digest = pbkdf2Sync(password, salt, rounds, hash === "sha256" ? 32 : 64, hash);
  return `$pbkdf2-${hash}$${rounds}$${ab64(salt)}$${ab64(digest)}`;
}

/** Django's form: the salt is text. */
function djangoPbkdf2(password: string): string {
  const salt = randomBytes(11).toString("hex");
  return `pbkdf2_sha256$1000$${salt}$${pbkdf2Sync(password, salt, 1_000, 32, "sha256").toString("base64")}`;
}

/** The parameters of Firebase's own documentation, in the form of its export. */
export const firebaseProject = {
  memCost: 14,
  rounds: 8,
  saltSeparator: "Bw==",
  signerKey: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
};
export async function firebaseHash(password: string, salt = randomBytes(8).toString("base64")): Promise<string> {
  const hash = await new FirebaseScrypt(firebaseProject).hash(password, salt);
  return `$fbscrypt$v=1,n=14,r=8,p=1,ss=${firebaseProject.saltSeparator},sk=${firebaseProject.signerKey}$${salt}$${hash}`;
}

/** Password hashes of other systems, each made by its scheme's own library. */
export const foreignHashes: [scheme: string, hashOf: (password: string) => string | Promise<string>][] = [
  ["bcrypt $2a$", (password) => bcryptHash(password, 4).replace("$2b$", "$2a$")],
  ["bcrypt $2b$", (password) => bcryptHash(password, 5)],
  ["bcrypt $2y$", (password) => bcryptHash(password, 4).replace("$2b$", "$2y$")],
  ["argon2id", (password) => argon2Hash(password, { memoryCost: 1024, timeCost: 2, parallelism: 1 })],
  [
    "argon2id of several lanes and another length",
    (password) => argon2Hash(password, { memoryCost: 256, timeCost: 1, parallelism: 4, hashLength: 24 }),
  ],
  ["scrypt", phcScrypt],
  ["scrypt at other costs", (password) => phcScrypt(password, { ln: 5, r: 4, p: 3, bytes: 64 })],
  ["PBKDF2 with SHA-256, as passlib writes it", (password) => passlibPbkdf2(password, "sha256", 1_000)],
  ["PBKDF2 with SHA-512, as passlib writes it", (password) => passlibPbkdf2(password, "sha512", 1_000)],
  ["Django's PBKDF2", djangoPbkdf2],
  ["Firebase's scrypt", (password) => firebaseHash(password)],
];
