import type { PepperKey } from "../../../config/secrets/derived_keys.ts";
import { prehash } from "../prehash.ts";
import type { DigestTask } from "./compute_digest.ts";
import type { ForeignHash } from "./foreign_hash.ts";
import { openSignerKey, sealSignerKey } from "./signer_key.ts";

export interface StoredForeignHash {
  foreign_parameters: string;
  foreign_prehash: string;
}

/** Keyed, so that the database never holds a value with which a guess at the foreign hash could be compared. */
const prehashOf = (passwordKeys: readonly PepperKey[], sealedPrefix: string, digest: string): string =>
  prehash(passwordKeys, `${sealedPrefix}$${digest}`);

/**
 * The parts of a foreign hash that the database receives: the parameters with the digest's length, and the digest's
 * keyed pre-hash.
 */
export function toStored(passwordKey: PepperKey, { prefix, digest, digestBytes }: ForeignHash): StoredForeignHash {
  const sealedPrefix = prefix.replace(/(?<=,sk=)[^$]*/, (signerKey) => sealSignerKey(passwordKey.key, signerKey));
  return {
    foreign_parameters: `${sealedPrefix}$${digestBytes}`,
    foreign_prehash: prehashOf([passwordKey], sealedPrefix, digest),
  };
}

/** Computes StoredForeignHash.foreign_prehash from a typed password. */
export async function prehashUnder(
  passwordKeys: readonly PepperKey[],
  parameters: string,
  password: string,
  compute: (task: DigestTask) => Promise<string>,
): Promise<string> {
  const end = parameters.lastIndexOf("$");
  const sealedPrefix = parameters.slice(0, end);
  const prefix = sealedPrefix.replace(/(?<=,sk=)[^$]*/, (sealed) => openSignerKey(passwordKeys, sealed));
  const digest = await compute({ prefix, digestBytes: Number(parameters.slice(end + 1)), password });
  return prehashOf(passwordKeys, sealedPrefix, digest);
}
