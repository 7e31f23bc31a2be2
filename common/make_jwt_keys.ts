import { newSigningKeys } from "./signing_keys.ts";

/** npm run --silent make:jwt-keys: prints a new JWT_KEYS. To rotate, put its key before the present ones. */
console.log(newSigningKeys());
