import { OperatorError } from "../../runtime/operator_error.ts";
import { type Environment } from "../../config/environment.ts";
import { createJwk } from "./test_keys.ts";

export const secrets = {
  ADMIN_SECRET: "an admin secret of 32 characters",
  HASH_PEPPER: Buffer.from("a pepper of thirty-two bytes, ok").toString("base64"),
  JWT_KEYS: JSON.stringify({ keys: [createJwk("one")] }),
};
export const urls = {
  DATABASE_URL: "postgres://migrator:m-word@db/latchkey?sslmode=verify-full",
  SERVER_DATABASE_URL: "postgres://latchkey_server:s-word@db/latchkey?sslmode=verify-full",
  GRAPHQL_DATABASE_URL: "postgres://latchkey_graphql:g-word@db/latchkey?sslmode=verify-full",
  WORKER_DATABASE_URL: "postgres://latchkey_worker:w-word@db/latchkey?sslmode=verify-full",
};
/** A complete environment of a production deployment. */
export const production: Environment = { NODE_ENV: "production", ...secrets, ...urls };

/** Returns the message of the OperatorError with which a configuration function rejects the environment. */
export function configError(createConfig: (env: Environment) => unknown, env: Environment): string {
  try {
    createConfig(env);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error.message;
  }
  throw new Error("the configuration function accepted the environment");
}
