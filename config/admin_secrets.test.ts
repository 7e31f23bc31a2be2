import { expect, test } from "vitest";
import { configError, production } from "../testing/service/environments.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { graphqlConfig } from "./config.ts";

const [one, other] = ["0123456789abcdef+/=_.~-ABCDEFGHIJ", "9876543210abcdef+/=_.~-ABCDEFGHIJ"] as const;
const unnamed = { name: undefined, secret: production.ADMIN_SECRET };
const errorOf = (env: Record<string, string | undefined>) => configError(graphqlConfig, { ...production, ...env });

test("admin secrets with names stand beside the one without, and a name may have two", () => {
  const { adminSecrets } = graphqlConfig({ ...production, ADMIN_SECRETS: `alice:${one}, alice:${other}` });
  expect(adminSecrets).toEqual([unnamed, { name: "alice", secret: one }, { name: "alice", secret: other }]);
  expect(graphqlConfig(production).adminSecrets).toEqual([unnamed]);
});

test("named secrets alone are enough, and none is made without a name", () => {
  const ADMIN_SECRETS = `ci:${one}`;
  for (const NODE_ENV of ["production", "test"]) {
    const env = { ...production, NODE_ENV, LATCHKEY_HOME: temporaryFolder(), ADMIN_SECRET: "", ADMIN_SECRETS };
    expect(graphqlConfig(env).adminSecrets).toEqual([{ name: "ci", secret: one }]);
  }
});

test("without any, the sentence says how to make one", () => {
  expect(errorOf({ ADMIN_SECRET: undefined })).toBe(
    "The environment is invalid:\n  ADMIN_SECRET is not set: generate one with: openssl rand -base64 32, or set " +
      "ADMIN_SECRETS (ADMIN_SECRET_FILE may name a file that holds it)",
  );
});

test.each([
  ["without a secret", "alice"],
  ["without a name", `:${one}`],
  ["with a name that a log line could not carry", `al ice:${one}`],
  ["with a name of 65 characters", `${"a".repeat(65)}:${one}`],
  ["with a short secret", "alice:0123456789abcdef"],
  ["with a secret that is easy to guess", `alice:${"ab".repeat(20)}`],
  ["that ends with a comma", `alice:${one},`],
  ["of 51 secrets", Array.from({ length: 51 }, (_, index) => `a${index}:${one}${index}`).join(",")],
])("a value %s is refused once, and not repeated", (_what, ADMIN_SECRETS) => {
  for (const ADMIN_SECRET of [production.ADMIN_SECRET, undefined]) {
    const message = errorOf({ ADMIN_SECRET, ADMIN_SECRETS });
    expect(message).toMatch(/^The environment is invalid:\n {2}ADMIN_SECRETS: must be at most 50 of name:secret.*$/);
    expect(message).not.toContain("0123456789abcdef");
  }
});

test("a secret that would stand for two admins is refused", () => {
  expect(errorOf({ ADMIN_SECRETS: `alice:${one},bob:${one}` })).toBe(
    "The environment is invalid:\n  ADMIN_SECRETS: must not name a secret twice: give each name a secret of its own",
  );
  expect(errorOf({ ADMIN_SECRET: one, ADMIN_SECRETS: `alice:${one}` })).toBe(
    "The environment is invalid:\n  ADMIN_SECRETS: must not name the secret of ADMIN_SECRET: unset ADMIN_SECRET, or give the name a secret of its own",
  );
});
