import { expect, test } from "vitest";
import { production, configError } from "../testing/service/environments.ts";
import { graphqlConfig, serverConfig, workerConfig } from "./config.ts";

test.each([
  ["PORT", "http", "must be a whole number from 0 to 65535"],
  ["PORT", "65536", "must be a whole number from 0 to 65535"],
  ["DRAIN_DELAY_MS", "soon", "must be a whole number from 0 to 60000"],
  ["CORS_ORIGINS", "*", "must not contain *: list each origin"],
  ["CORS_ORIGINS", "https://a.example, *", "must not contain *: list each origin"],
  ["CORS_ORIGINS", "example.com", "must be origins such as https://app.example.com"],
  ["CORS_ORIGINS", "https://a.example,example.com", "must be origins such as https://app.example.com"],
  ["CORS_ORIGINS", "https://a.example/", "must be origins such as https://app.example.com"],
  ["CORS_ORIGINS", "https://A.example", "must be origins such as https://app.example.com"],
  ["CORS_ORIGINS", "https://a.example:443", "must be origins such as https://app.example.com"],
  ["CORS_ORIGINS", "https://*.a.example", "must not contain *: list each origin"],
  ...[
    "null",
    "null://a",
    "file://",
    "file://a",
    "data:text/html,a",
    "data://a",
    "about:blank",
    "capacitor:localhost",
  ].map((origin) => ["CORS_ORIGINS", origin, "must be origins such as https://app.example.com"]),
  ...[
    "capacitor://localhost/",
    "Capacitor://localhost",
    "capacitor://",
    "app://a@b",
    "app://a:b",
    "app://a?b",
    "app://a#b",
  ].map((origin) => ["CORS_ORIGINS", origin, "must be origins such as https://app.example.com"]),
])("%s=%s is rejected: %s", (name, value, sentence) => {
  expect(configError(serverConfig, { ...production, [name]: value })).toContain(`\n  ${name}: ${sentence}`);
});

test.each([
  "http://localhost:5173,https://a.example:8443,http://[::1]:8080",
  "capacitor://localhost,ionic://localhost,tauri://localhost,app://com.example:8080",
  "chrome-extension://abcdefghijklmnopabcdefghijklmnop,safari-web-extension://0F5C1B0A-0000-4000-8000-00000000000A",
])("CORS_ORIGINS=%s is accepted", (CORS_ORIGINS) => {
  expect(serverConfig({ ...production, CORS_ORIGINS }).CORS_ORIGINS).toEqual(CORS_ORIGINS.split(","));
});

test.each(["https://sms.example", "sms.example:443", "sms.example/send", "SMS.example", "sms.example,", "*"])(
  "SMS_HTTP_HOSTS=%s, which would match no host, is rejected",
  (value) => {
    expect(configError(workerConfig, { ...production, SMS_HTTP_HOSTS: value })).toContain(
      "\n  SMS_HTTP_HOSTS: must be host names such as sms.example.com",
    );
  },
);

test("SMTP_URL with a password that is not percent-encoded is rejected, without the password", () => {
  const message = configError(workerConfig, { ...production, SMTP_URL: "smtps://codes:50%off@mail.example" });
  expect(message).toContain("\n  SMTP_URL: must write a % in the user name or password as %25");
  expect(message).not.toContain("off");
});

test.each([
  ["HASH_PEPPER", Buffer.alloc(31, 7).toString("base64")],
  ["HASH_PEPPER", "not base64 at all, however long it may be"],
  ["JWT_KEYS", '{"keys": []}'],
])("a weak %s is rejected", (name, value) => {
  expect(configError(serverConfig, { ...production, [name]: value })).toContain(`\n  ${name}: must be`);
});

test.each(["0123456789abcdef", Buffer.alloc(31, 7).toString("base64"), "no base64!"])(
  "the error for the pepper %s names its length, its form and a command that makes one",
  (HASH_PEPPER) => {
    expect(configError(serverConfig, { ...production, HASH_PEPPER })).toContain(
      "\n  HASH_PEPPER: must be 32 bytes or more in base64: generate them with: openssl rand -base64 32, or restore",
    );
  },
);

test("a GRAPHQL_BUDGET_MS that is no number is rejected", () => {
  expect(configError(graphqlConfig, { ...production, GRAPHQL_BUDGET_MS: "fast" })).toContain(
    "\n  GRAPHQL_BUDGET_MS: must be a whole number from 1 to 1000",
  );
});

test("a short ADMIN_SECRET is rejected", () => {
  const env = { ...production, ADMIN_SECRET: "a".repeat(31) };
  expect(configError(graphqlConfig, env)).toContain("\n  ADMIN_SECRET: must be");
});

test.each([
  ["start", "start"],
  ["off", "off"],
  ["http://graphql:3001", "http://graphql:3001"],
  ["https://graphql.example/", "https://graphql.example"],
  ["", undefined],
])("GRAPHQL_UPSTREAM=%s is parsed", (text, parsed) => {
  expect(serverConfig({ ...production, GRAPHQL_UPSTREAM: text }).GRAPHQL_UPSTREAM).toBe(parsed);
});

test.each(["on", "graphql:3001", "ftp://graphql"])("GRAPHQL_UPSTREAM=%s is rejected", (text) => {
  expect(configError(serverConfig, { ...production, GRAPHQL_UPSTREAM: text })).toContain(
    "\n  GRAPHQL_UPSTREAM: must be start, off or the address of npm run graphql",
  );
});

test.each([
  ["off", false],
  ["false", false],
  ["1", 1],
  ["12", 12],
  ["loopback", ["loopback"]],
  ["loopback, 10.0.0.0/8,fd00::/8, 192.0.2.7", ["loopback", "10.0.0.0/8", "fd00::/8", "192.0.2.7"]],
  ["10.0.0.0/255.0.0.0", ["10.0.0.0/255.0.0.0"]],
])("TRUST_PROXY=%s is parsed", (text, parsed) => {
  expect(serverConfig({ ...production, TRUST_PROXY: text }).TRUST_PROXY).toEqual(parsed);
});

test.each([
  "true",
  "TRUE",
  "yes",
  "0",
  "-1",
  "100",
  "1.5",
  "loopback,true",
  "loopback,",
  "10.0.0.0/33",
  "10.1/8",
  "10.0.0.0/255.0.255.0",
  "proxy.example",
  "10.0.0.1/8/8",
])("TRUST_PROXY=%s is rejected", (text) => {
  expect(configError(serverConfig, { ...production, TRUST_PROXY: text })).toContain("\n  TRUST_PROXY: must");
});

test("TRUST_PROXY=true is rejected with the reason", () => {
  expect(configError(serverConfig, { ...production, TRUST_PROXY: "true" })).toContain("makes addresses forgeable");
});

test("in production DRAIN_DELAY_MS is five seconds by default, elsewhere 0", () => {
  expect(serverConfig(production).DRAIN_DELAY_MS).toBe(5_000);
  expect(serverConfig({ ...production, DRAIN_DELAY_MS: "0" }).DRAIN_DELAY_MS).toBe(0);
  expect(serverConfig({ ...production, NODE_ENV: "test" }).DRAIN_DELAY_MS).toBe(0);
});

test("the three programs of one machine have ports of their own for their metrics", () => {
  const env = { ...production, OPERATIONS_PORT: "9464" };
  const ports = [serverConfig(env), graphqlConfig(env), workerConfig(env)].map(({ operations }) => operations?.PORT);
  expect(ports).toEqual([9464, 9465, 9466]);
  expect(serverConfig(production).operations).toBeUndefined();
  expect(graphqlConfig({ ...production, OPERATIONS_PORT: "0" }).operations).toMatchObject({
    PORT: 0,
    HOST: "127.0.0.1",
  });
});
