import type { ForeignParameters } from "./foreign_parameters.ts";

const mebibyte = 2 ** 20;
const maxMemory = 128 * mebibyte;
const maxWork = 2 * maxMemory;
const maxBcryptCost = 14;
const maxSha256Rounds = 2_000_000;

/**
 * Returns the bound that a foreign hash exceeds; undefined if none. Every login to its account, and to phones that it
 * is the decoy of, does its work: too much could stop the server.
 */
export function exceededBound(parameters: ForeignParameters, digestBytes: number): string | undefined {
  if (parameters.scheme === "bcrypt")
    return parameters.cost < 4 || parameters.cost > maxBcryptCost
      ? `its cost must be 4 to ${maxBcryptCost}`
      : undefined;
  if (digestBytes < 16 || digestBytes > 256) return "its digest must have 16 to 256 bytes";
  if (parameters.scheme === "pbkdf2") return exceededRounds(parameters.rounds, digestBytes, parameters.hash);
  const { p } = parameters;
  if (p < 1 || p > 16) return "p must be 1 to 16";
  if (parameters.scheme === "argon2id") {
    const { m, t } = parameters;
    if (t < 1) return "t must be 1 or more";
    if (m < 8 * p) return "m must be 8 × p or more";
    return exceededWork(m * 1024, t);
  }
  const { ln, r } = parameters;
  if (ln < 1 || r < 1) return "log2 N and r must be 1 or more";
  // scrypt's own rule; OpenSSL refuses others.
  if (ln >= 16 * r) return "log2 N must be less than 16 × r";
  if (parameters.scheme === "fbscrypt" && parameters.sk.length !== digestBytes)
    return "signer key and digest must have the same length";
  return exceededWork(128 * 2 ** ln * r, p);
}

/** Each block of the digest takes all rounds again. A second at the bound. */
function exceededRounds(rounds: number, digestBytes: number, hash: "sha256" | "sha512"): string | undefined {
  const most = hash === "sha256" ? maxSha256Rounds : maxSha256Rounds / 2;
  const blocks = Math.ceil(digestBytes / (hash === "sha256" ? 32 : 64));
  return rounds < 1 || rounds * blocks > most
    ? `its rounds must be 1 to ${most}, over all blocks of the digest`
    : undefined;
}

function exceededWork(memory: number, passes: number): string | undefined {
  if (memory > maxMemory) return `it needs more than ${maxMemory / mebibyte} MiB of memory`;
  if (memory * passes > maxWork) return `its memory times its passes is more than ${maxWork / mebibyte} MiB`;
  return undefined;
}
