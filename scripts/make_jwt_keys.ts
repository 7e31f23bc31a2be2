import { createSigningKeys } from "../config/signing_keys.ts";

/**
 * npm run --silent make:jwt-keys: prints a value of JWT_KEYS with one new key. docs/operations.md describes key
 * rotation.
 */
console.log(createSigningKeys());
