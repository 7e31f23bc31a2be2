import { createSigningKeys } from "../config/secrets/signing_keys.ts";

/**
 * npm run --silent make:jwt-keys [-- RS256]: prints a value of JWT_KEYS with one new key. RS256 is for resource servers
 * that do not know ES256 (docs/verify-tokens.md). docs/operations.md describes key rotation.
 */
const [algorithm = "ES256", ...more] = process.argv.slice(2);
if ((algorithm === "ES256" || algorithm === "RS256") && more.length === 0) console.log(createSigningKeys(algorithm));
else {
  console.error("Usage: npm run --silent make:jwt-keys [-- ES256 | RS256]");
  process.exitCode = 2;
}
