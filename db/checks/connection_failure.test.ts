import { expect, test } from "vitest";
import { explainFailure } from "./connection_failure.ts";

test.for<[string, string, string, RegExp]>([
  [
    "28P01",
    'password authentication failed for user "latchkey_server"',
    "a refused login points at a rotation before it points at the migration",
    /^SERVER_DATABASE_URL: The database refused the login .* If the passwords were rotated, this address is the old one: .* Otherwise, .*npm run db:migrate/,
  ],
  [
    "08P01",
    "SASL authentication failed",
    "a login that PgBouncer refuses points at its list of users",
    /^SERVER_DATABASE_URL: The database cannot be reached: SASL authentication failed\. If the address is a pooler's: its list of users .* reload the pooler/,
  ],
])("%s (%s): %s", ([code, message, , sentence]) => {
  const error = Object.assign(new Error(message), { code });
  expect(() => explainFailure(error, "SERVER_DATABASE_URL")).toThrow(sentence);
});
