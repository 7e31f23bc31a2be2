import { expect, test } from "vitest";
import { configError, production } from "../testing/service/environments.ts";
import { serverConfig } from "./config.ts";

const secret = "0123456789abcdef+/=_.~-ABCDEFGHIJ";

test("each resource server has a name and a secret; spaces around them do not count", () => {
  const { RESOURCE_SERVERS } = serverConfig({ ...production, RESOURCE_SERVERS: `orders:${secret}, billing:${secret}` });
  expect(RESOURCE_SERVERS).toEqual([
    { name: "orders", secret },
    { name: "billing", secret },
  ]);
  expect(serverConfig(production).RESOURCE_SERVERS).toEqual([]);
});

test.each([
  ["without a secret", "orders"],
  ["with an empty secret", "orders:"],
  ["without a name", `:${secret}`],
  ["with a short secret", "orders:0123456789abcdef"],
  ["with a secret that is easy to guess", `orders:${"ab".repeat(20)}`],
  ["with a name that no header could carry", `or ders:${secret}`],
  ["that ends with a comma", `orders:${secret},`],
  ["of more servers than there can be", Array.from({ length: 101 }, () => `orders:${secret}`).join(",")],
])("a value %s is refused, and not repeated", (_what, RESOURCE_SERVERS) => {
  const message = configError(serverConfig, { ...production, RESOURCE_SERVERS });
  expect(message).toContain("RESOURCE_SERVERS: must be at most 100 of name:secret");
  expect(message).not.toContain("0123456789abcdef");
});

test.each([
  ["CLAIMS_ROLE", ["sub", "iss", "https://hasura.io/jwt/claims", "a claim", ""].slice(0, 4)],
  ["CLAIMS_ROLE_MAP", ["user", "[]", "null", '{"admin": "x"}', '{"user": 1}', '{"user": ""}']],
])("%s is refused where it would break or forge tokens", (name, values) => {
  for (const value of values)
    expect(configError(serverConfig, { ...production, [name]: value })).toContain(`${name}: must`);
});
