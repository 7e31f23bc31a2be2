import { OperatorError } from "../runtime/operator_error.ts";
import { type Environment } from "../config/environment.ts";
import { makeJwk } from "./test_keys.ts";

export const secrets = {
  ADMIN_SECRET: "a".repeat(32),
  HASH_PEPPER: Buffer.alloc(32, 7).toString("base64"),
  JWT_KEYS: JSON.stringify({ keys: [makeJwk("one")] }),
};
export const urls = {
  DATABASE_URL: "postgres://migrator:m-word@db/latchkey",
  SERVER_DATABASE_URL: "postgres://latchkey_server:s-word@db/latchkey",
  GRAPHQL_DATABASE_URL: "postgres://latchkey_graphql:g-word@db/latchkey",
  WORKER_DATABASE_URL: "postgres://latchkey_worker:w-word@db/latchkey",
};
/** Complete, as a deployment gives it. */
export const production: Environment = { NODE_ENV: "production", ...secrets, ...urls };

/** The message with which a configuration is refused. */
export function refusal(make: (env: Environment) => unknown, env: Environment): string {
  try {
    make(env);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error.message;
  }
  throw new Error("it was accepted");
}
