import { expect, test } from "vitest";
import { configError, production } from "../testing/service/environments.ts";
import { serverConfig, workerConfig } from "./config.ts";
import { receiptUrl } from "./public_url.ts";

test.each([
  ["https://auth.example.com", "https://auth.example.com"],
  ["https://auth.example.com/", "https://auth.example.com"],
  ["https://example.com:8443/auth/", "https://example.com:8443/auth"],
])("PUBLIC_URL=%s is accepted by server and worker", (PUBLIC_URL, parsed) => {
  expect(serverConfig({ ...production, PUBLIC_URL }).PUBLIC_URL).toBe(parsed);
  expect(workerConfig({ ...production, PUBLIC_URL }).PUBLIC_URL).toBe(parsed);
});

test.each([
  ["auth.example.com", "must be an http:// or https:// address"],
  ["ftp://auth.example.com", "must be an http:// or https:// address"],
  ["https://user:word@auth.example.com", "must have no user name, query or fragment"],
  ["https://auth.example.com/?a=1", "must have no user name, query or fragment"],
  ["https://auth.example.com/#a", "must have no user name, query or fragment"],
  ["http://auth.example.com", "must be https in production"],
])("PUBLIC_URL=%s is rejected in production: %s", (PUBLIC_URL, message) => {
  for (const config of [serverConfig, workerConfig])
    expect(configError(config, { ...production, PUBLIC_URL })).toContain(`\n  PUBLIC_URL: ${message}`);
});

test("an unencrypted PUBLIC_URL is reported together with the faults of other variables", () => {
  const message = configError(serverConfig, { ...production, PUBLIC_URL: "http://a.example", PORT: "http" });
  expect(message).toContain("PUBLIC_URL: must be https");
  expect(message).toContain("PORT: must be");
});

test("outside production PUBLIC_URL may be unencrypted, and need not be set", () => {
  const development = { ...production, NODE_ENV: "development" };
  expect(serverConfig({ ...development, PUBLIC_URL: "http://localhost:3000" }).PUBLIC_URL).toBe(
    "http://localhost:3000",
  );
  expect(serverConfig(production).PUBLIC_URL).toBeUndefined();
});

test("a vendor's receipts have a URL of their own below PUBLIC_URL", () => {
  expect(receiptUrl("https://example.com/auth", "twilio")).toBe("https://example.com/auth/api/v1/otp/receipts/twilio");
});
