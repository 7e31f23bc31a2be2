import { expect, test } from "vitest";
import { configError, production } from "../testing/service/environments.ts";
import { workerConfig } from "./config.ts";

const secretOf = (letter: string) => `whsec_${Buffer.from(`${letter}bcdefghijklmnopqrstuvwxyz`).toString("base64")}`;

test("each name has one secret, or two while one is replaced; spaces around them do not count", () => {
  const EVENT_SECRETS = `crm:${secretOf("1")}, ledger:${secretOf("2")},crm:${secretOf("3")}`;
  expect(workerConfig({ ...production, EVENT_SECRETS }).EVENT_SECRETS).toEqual([
    { name: "crm", secret: secretOf("1") },
    { name: "ledger", secret: secretOf("2") },
    { name: "crm", secret: secretOf("3") },
  ]);
  expect(workerConfig(production).EVENT_SECRETS).toEqual([]);
});

test.each([
  ["without a secret", "crm"],
  ["with an empty secret", "crm:"],
  ["without a name", `:${secretOf("1")}`],
  ["with a name that has a space", `c rm:${secretOf("1")}`],
  ["with a secret that has no whsec_", `crm:${secretOf("1").slice(6)}`],
  ["with a short secret", `crm:whsec_${Buffer.from("bcdefghijklmnop").toString("base64")}`],
  ["with a secret that is easy to guess", `crm:whsec_${Buffer.alloc(32, "ab").toString("base64")}`],
  ["with a third secret of a name", ["1", "2", "3"].map((letter) => `crm:${secretOf(letter)}`).join(",")],
  ["that ends with a comma", `crm:${secretOf("1")},`],
])("a value %s is refused, and not repeated", (_what, EVENT_SECRETS) => {
  const message = configError(workerConfig, { ...production, EVENT_SECRETS });
  expect(message).toContain("EVENT_SECRETS: must be name:secret");
  expect(message).not.toContain(secretOf("1").slice(10));
});

test.each(["https://hooks.example.com", "hooks.example.com:443", "HOOKS.example.com", "*", "a,,b"])(
  "EVENT_HTTP_HOSTS is refused as %s, which no URL's host is",
  (EVENT_HTTP_HOSTS) => {
    expect(configError(workerConfig, { ...production, EVENT_HTTP_HOSTS })).toContain(
      "EVENT_HTTP_HOSTS: must be host names",
    );
  },
);
