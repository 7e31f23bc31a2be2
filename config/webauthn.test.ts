import { expect, test } from "vitest";
import { configError, production } from "../testing/service/environments.ts";
import { serverConfig } from "./config.ts";
import { localRelyingParty } from "./webauthn.ts";

const app = `android:apk-key-hash:${"a".repeat(43)}`;
const withOrigins = (WEBAUTHN_ORIGINS: string, WEBAUTHN_RP_ID = "example.com") => ({
  ...production,
  WEBAUTHN_RP_ID,
  WEBAUTHN_ORIGINS,
});

test("pages of the domain and below it, and Android apps, are origins of passkeys", () => {
  const origins = ["https://example.com", "https://app.example.com:8443", app];
  expect(serverConfig(withOrigins(origins.join(", "))).WEBAUTHN_ORIGINS).toEqual(origins);
  expect(serverConfig(production)).not.toHaveProperty("WEBAUTHN_RP_ID");
});

test.each([
  "https://example.com/",
  "*",
  "https://*.example.com",
  "example.com",
  "capacitor://localhost",
  "",
  `${app}a`,
])("WEBAUTHN_ORIGINS=%s is no origin that a browser or Android sends", (origin) => {
  expect(configError(serverConfig, withOrigins(`https://example.com,${origin}`))).toContain("WEBAUTHN_ORIGINS: must");
});

test.each(["https://example.com", "Example.com", "example.com:443", "127.0.0.1", "[::1]", "example.com."])(
  "WEBAUTHN_RP_ID=%s is no domain",
  (id) => {
    expect(configError(serverConfig, withOrigins("https://example.com", id))).toContain(
      "WEBAUTHN_RP_ID: must be a domain",
    );
  },
);

test.each(["https://example.org", "https://badexample.com", "https://example.com.evil.org"])(
  "%s is not of the domain, so no browser would make its passkeys",
  (origin) => {
    expect(configError(serverConfig, withOrigins(origin))).toContain("must be of the domain WEBAUTHN_RP_ID");
  },
);

test("one of the two variables alone is refused", () => {
  const env = withOrigins("https://example.com");
  expect(configError(serverConfig, { ...env, WEBAUTHN_RP_ID: "" })).toContain("WEBAUTHN_ORIGINS: needs");
  expect(configError(serverConfig, { ...env, WEBAUTHN_ORIGINS: "" })).toContain("WEBAUTHN_RP_ID: needs");
});

test("production refuses pages without https, which npm start on localhost has", () => {
  const local = localRelyingParty({ PORT: "4000" });
  expect(local).toEqual({ WEBAUTHN_RP_ID: "localhost", WEBAUTHN_ORIGINS: "http://localhost:4000" });
  expect(configError(serverConfig, { ...production, ...local })).toContain("WEBAUTHN_ORIGINS: must be https");
  expect(serverConfig({ ...production, ...local, NODE_ENV: "test" }).WEBAUTHN_RP_ID).toBe("localhost");
  expect(localRelyingParty({ NODE_ENV: "production" })).toEqual({});
  expect(localRelyingParty({ WEBAUTHN_RP_ID: "example.com" })).toEqual({});
});
