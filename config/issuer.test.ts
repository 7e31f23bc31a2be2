import { expect, test } from "vitest";
import { configError, production } from "../testing/service/environments.ts";
import { serverConfig } from "./config.ts";
import { issuerWarnings } from "./issuer.ts";

const withIssuer = (JWT_ISSUER: string, env = {}) => ({ ...production, JWT_ISSUER, ...env });

test.each([
  "latchkey",
  "our own service",
  "https://auth.example.com",
  "https://auth.example.com/",
  "https://a.b:8443/x",
])("%s is an issuer", (text) => {
  expect(serverConfig(withIssuer(text)).JWT_ISSUER).toBe(text);
});

test.each([
  "https://auth.example.com/?x=1",
  "https://auth.example.com#x",
  "https://user@auth.example.com",
  "https://Auth.example.com",
  "https://auth.example.com:443",
  "https://",
])("%s is refused: clients would compare it with another text, or find nothing there", (text) => {
  expect(configError(serverConfig, withIssuer(text))).toContain("JWT_ISSUER: must be a name, or an address");
});

test("an address without TLS is for development alone", () => {
  expect(configError(serverConfig, withIssuer("http://auth.example.com"))).toContain("JWT_ISSUER: must be https");
  const NODE_ENV = "development";
  expect(serverConfig(withIssuer("http://localhost:3000", { NODE_ENV })).JWT_ISSUER).toBe("http://localhost:3000");
});

test("production warns of an issuer that is no address, and only of it", () => {
  expect(issuerWarnings(serverConfig(production))).toEqual([expect.stringContaining("JWT_ISSUER is latchkey")]);
  expect(issuerWarnings(serverConfig(withIssuer("https://auth.example.com")))).toEqual([]);
  expect(issuerWarnings(serverConfig({ ...production, NODE_ENV: "development" }))).toEqual([]);
});
