import { createSigningKeys } from "../config/signing_keys.ts";

/** npm run --silent make:jwt-keys: prints a JWT_KEYS of one new key. docs/operations.md tells how to rotate. */
console.log(createSigningKeys());
