import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { graphqlConfig, migratorConfig, serverConfig, workerConfig } from "./config/config.ts";
import type { Environment } from "./config/environment.ts";
import { secrets } from "./testing/service/environments.ts";

interface ComposeService {
  command?: string;
  environment: Record<string, string>;
  ports?: string[];
  healthcheck?: { test: string[] };
}

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8");
const { services } = parse(read("docker-compose.yml"), { merge: true }) as {
  services: Record<string, ComposeService>;
};

/** Variables of .env that are not credentials. */
const nonCredentials = new Set([
  "OPERATIONS_PORT",
  "OTP_PROVIDER",
  "TRUST_PROXY",
  "CORS_ORIGINS",
  "SMS_HTTP_HOSTS",
  "EVENT_HTTP_HOSTS",
  "AWS_REGION",
  "PUBLIC_URL",
  "GRAPHQL_SCHEMAS",
  "GRAPHQL_ALLOW_WITHOUT_RLS",
  "JWT_ISSUER",
  "WEBAUTHN_RP_ID",
  "WEBAUTHN_ORIGINS",
  "TURNSTILE_SITE_KEY",
  "HCAPTCHA_SITE_KEY",
  "RECAPTCHA_SITE_KEY",
]);
const variable = /\$\{?(\w+)[^}]*\}?/g;

/** Names of the credentials from .env that appear anywhere in a service's definition. */
function credentialsOf(service: object): string[] {
  const names = Array.from(JSON.stringify(service).matchAll(variable), ([, name = ""]) => name);
  return [...new Set(names)].filter((name) => !nonCredentials.has(name)).sort();
}

test("each service of the compose file has the credentials that it uses and no others", () => {
  const credentials = Object.entries(services).map(([name, service]) => [name, credentialsOf(service)]);
  expect(Object.fromEntries(credentials)).toEqual({
    postgres: ["MIGRATOR_PASSWORD", "POSTGRES_PASSWORD"],
    migrate: ["GRAPHQL_PASSWORD", "MIGRATOR_PASSWORD", "SERVER_PASSWORD", "WORKER_PASSWORD"],
    server: [
      "AUTH_WEBHOOK_SECRET",
      "HASH_PEPPER",
      "HCAPTCHA_SECRET_KEY",
      "JWT_KEYS",
      "KEY_ENCRYPTION_KEY",
      "RECAPTCHA_SECRET_KEY",
      "RESOURCE_SERVERS",
      "SERVER_PASSWORD",
      "SMS_HTTP_SIGNING_SECRET",
      "TURNSTILE_SECRET_KEY",
      "TWILIO_AUTH_TOKEN",
      "VONAGE_SIGNATURE_SECRET",
    ],
    graphql: ["ADMIN_SECRET", "ADMIN_SECRETS", "AUTH_WEBHOOK_SECRET", "GRAPHQL_PASSWORD"],
    worker: [
      "AWS_ACCESS_KEY_ID",
      "AWS_SECRET_ACCESS_KEY",
      "EVENT_SECRETS",
      "HASH_PEPPER",
      "SMS_HTTP_SIGNING_SECRET",
      "SMS_HTTP_TOKEN",
      "SMTP_URL",
      "TWILIO_ACCOUNT_SID",
      "TWILIO_API_KEY",
      "TWILIO_API_SECRET",
      "TWILIO_AUTH_TOKEN",
      "VONAGE_API_KEY",
      "VONAGE_API_SECRET",
      "WORKER_PASSWORD",
    ],
  });
});

test("services restart, stop without being killed, and what has a console is open to this machine alone", () => {
  for (const name of ["postgres", "server", "graphql", "worker"]) {
    expect(services[name], name).toMatchObject({ restart: "unless-stopped" });
    expect(services[name], name).toHaveProperty("stop_grace_period");
  }
  for (const name of ["postgres", "server", "graphql"]) expect(services[name], name).toHaveProperty("healthcheck.test");
  const published = Object.values(services).flatMap(({ ports = [] }) => ports);
  expect(published.map((port) => port.split(":")[0])).toEqual(["127.0.0.1"]);
});

test.each([
  ["server", 3000],
  ["graphql", 3001],
])("the health check of %s succeeds and fails as /ready does", async (name, ownPort) => {
  const [, ...command] = services[name]!.healthcheck!.test;
  for (const status of [200, 503]) {
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/ready" ? status : 404).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const argumentsOf = command.slice(1).map((text) => text.replace(`:${ownPort}`, `:${port}`));
    const check = spawn(process.execPath, argumentsOf);
    expect(await once(check, "exit"), `status ${status}`).toEqual([status === 200 ? 0 : 1, null]);
    server.close();
  }
});

test("no service gets all of .env, by a file or in its image", () => {
  for (const service of Object.values(services)) {
    expect(Object.keys(service)).not.toContain("env_file");
    expect(JSON.stringify(service)).not.toMatch(/\.env\b/);
  }
  expect(read(".dockerignore").split("\n")).toContain(".env");
});

test("each service's environment is complete for production", () => {
  const variables: Environment = secrets;
  const environmentOf = (name: string): Environment =>
    Object.fromEntries(
      Object.entries(services[name]!.environment).map(([key, value]) => [
        key,
        value.replace(variable, (_all, variableName: string) => variables[variableName] ?? ""),
      ]),
    );
  for (const [name, config] of [
    ["migrate", migratorConfig],
    ["server", serverConfig],
    ["graphql", graphqlConfig],
    ["worker", workerConfig],
  ] as const) {
    expect(config(environmentOf(name)).production, name).toBe(true);
  }
});

test(".env.example lists every variable of the compose file", () => {
  const listed = Array.from(read(".env.example").matchAll(/^(\w+)=/gm), ([, name]) => name);
  const used = Array.from(read("docker-compose.yml").matchAll(/\$\{(\w+)/g), ([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(used));
});

test("the compose file, the image and npm start each process with the same flags of V8", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  for (const name of ["server", "graphql", "worker"])
    expect(services[name]!.command, name).toBe(scripts[name]?.replace(/^exec /, ""));
  const [, command = ""] = /^CMD (.*)$/m.exec(read("Dockerfile")) ?? [];
  expect((JSON.parse(command) as string[]).join(" ")).toBe(services.server?.command);
});
