import { availableParallelism } from "node:os";
import { z } from "zod";
import {
  httpUrl,
  integer,
  isOn,
  keyEncryptionKeys,
  onOff,
  peppers,
  poolSize,
  signingSecret,
  smtpUrl,
} from "./fields.ts";
import { parseAdminSecrets, requireAdminSecret } from "./admin_secrets.ts";
import { parseCorsOrigins, parseHostNames } from "./hosts.ts";
import { parseSchemas, parseTables } from "./database_names.ts";
import { operationsVariables } from "./operations.ts";
import { parseOptimizations } from "./optimizations.ts";
import { publicUrl, requireEncryption } from "./public_url.ts";
import { databaseTls, databaseUrl as url, requireTls } from "./database_url.ts";
import { issuer, requireSafeIssuer } from "./issuer.ts";
import { parseEventSecrets } from "./event_secrets.ts";
import { parseResourceServers } from "./resource_servers.ts";
import { parseSigningKeys, requireSigningKeys } from "./secrets/signing_keys.ts";
import { claimsRole, claimsRoleMap } from "./token_claims.ts";
import { parseTrustProxy } from "./trust_proxy.ts";
import { relyingPartyId, requireRelyingParty, webauthnOrigins } from "./webauthn.ts";

const base = z.object({
  NODE_ENV: z.string().default("development"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  DATABASE_TLS: databaseTls,
});
/** Of the three programs that serve. */
const program = base.extend({ ...operationsVariables, LOG_FORMAT: z.enum(["json", "pretty"]).default("json") });

const serverEnvironment = program.extend({
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().optional(),
  DRAIN_DELAY_MS: integer(0, 60_000).optional(),
  TRUST_PROXY: z.string().default("off").transform(parseTrustProxy),
  CORS_ORIGINS: z.string().transform(parseCorsOrigins).optional(),
  SERVER_DATABASE_URL: url,
  SERVER_DATABASE_DIRECT_URL: url.optional(),
  SERVER_POOL_SIZE: poolSize.default(10),
  // Each bcrypt call keeps one core of the database busy: more calls than cores would slow everything else.
  PASSWORD_POOL_SIZE: poolSize.default(Math.max(2, availableParallelism())),
  PASSWORD_CALLS_PER_CLIENT: integer(1, 400).default(8),
  HASH_PEPPER: peppers,
  JWT_KEYS: z.string().transform(parseSigningKeys).default([]),
  KEY_ENCRYPTION_KEY: keyEncryptionKeys.optional(),
  JWT_ISSUER: issuer.default("latchkey"),
  JWT_AUDIENCE: z.string().default("latchkey-api"),
  JWT_CLIENT_ID: z.string().max(200).default("latchkey"),
  CLAIMS_ROLE: claimsRole.default("role"),
  CLAIMS_ROLE_MAP: claimsRoleMap.optional(),
  RESOURCE_SERVERS: z.string().transform(parseResourceServers).default([]),
  WEBAUTHN_RP_ID: relyingPartyId.optional(),
  WEBAUTHN_ORIGINS: webauthnOrigins.optional(),
  AUTH_WEBHOOK_SECRET: z.string().optional(),
  GRAPHQL_UPSTREAM: z
    .union([z.enum(["start", "off"]), httpUrl.transform((text) => new URL(text).origin)], {
      error: "must be start, off or the address of npm run graphql (http://host:port)",
    })
    .optional(),
  CONSOLE: onOff.default("on").transform(isOn),
  DEMO: onOff.optional(),
  OPTIMIZATIONS_OFF: parseOptimizations,
  PUBLIC_URL: publicUrl.optional(),
  // Vendors sign their delivery receipts with these.
  TWILIO_AUTH_TOKEN: z.string().optional(),
  VONAGE_SIGNATURE_SECRET: z.string().optional(),
  SMS_HTTP_SIGNING_SECRET: signingSecret.optional(),
  // Captchas that verify a proof before a send (setting SEND_PROOF).
  TURNSTILE_SECRET_KEY: z.string().optional(),
  TURNSTILE_SITE_KEY: z.string().optional(),
  TURNSTILE_BASE_URL: httpUrl.default("https://challenges.cloudflare.com/turnstile/v0"),
  HCAPTCHA_SECRET_KEY: z.string().optional(),
  HCAPTCHA_SITE_KEY: z.string().optional(),
  HCAPTCHA_BASE_URL: httpUrl.default("https://api.hcaptcha.com"),
  RECAPTCHA_SECRET_KEY: z.string().optional(),
  RECAPTCHA_SITE_KEY: z.string().optional(),
  RECAPTCHA_BASE_URL: httpUrl.default("https://www.google.com/recaptcha/api"),
});

export const graphqlEnvironment = program.extend({
  GRAPHQL_PORT: integer(0, 65_535).default(3001),
  // A caller of GRAPHQL_TRUST_PROXY that reaches this port directly may claim any address.
  GRAPHQL_HOST: z.string().default("127.0.0.1"),
  GRAPHQL_TRUST_PROXY: z.string().default("loopback").transform(parseTrustProxy),
  DRAIN_DELAY_MS: integer(0, 60_000).optional(),
  CORS_ORIGINS: z.string().transform(parseCorsOrigins).optional(),
  GRAPHQL_DATABASE_URL: url,
  GRAPHQL_DATABASE_DIRECT_URL: url.optional(),
  GRAPHQL_POOL_SIZE: poolSize.default(8),
  GRAPHQL_INTROSPECTION: onOff.default("off").transform(isOn),
  GRAPHQL_STATEMENT_TIMEOUT_MS: integer(1, 60_000).default(5_000),
  GRAPHQL_BUDGET_MS: integer(1, 1_000).default(200),
  GRAPHQL_SCHEMAS: z.string().transform(parseSchemas).default([]),
  GRAPHQL_ALLOW_WITHOUT_RLS: z.string().transform(parseTables).default([]),
  ADMIN_SECRET: z.string().min(32, "must be 32 characters or more").optional(),
  ADMIN_SECRETS: z.string().transform(parseAdminSecrets).default([]),
  AUTH_WEBHOOK_SECRET: z.string().optional(),
  AUTH_WEBHOOK_URL: httpUrl.default("http://127.0.0.1:3000/api/v1/auth/webhook/authorize"),
  CONSOLE: onOff.default("on").transform(isOn),
  OPTIMIZATIONS_OFF: parseOptimizations,
});

const workerEnvironment = program.extend({
  WORKER_DATABASE_URL: url,
  WORKER_DATABASE_DIRECT_URL: url.optional(),
  WORKER_POOL_SIZE: poolSize.default(5),
  // Jobs mostly wait for a vendor, and hold no connection meanwhile.
  WORKER_CONCURRENCY: integer(1, 1_000).default(64),
  HASH_PEPPER: peppers,
  SMS_HTTP_TOKEN: z.string().optional(),
  SMS_HTTP_SIGNING_SECRET: signingSecret.optional(),
  SMS_HTTP_HOSTS: z.string().transform(parseHostNames).default([]),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, "must be AC and 32 hexadecimal digits")
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_API_KEY: z
    .string()
    .regex(/^SK[0-9a-f]{32}$/i, "must be SK and 32 hexadecimal digits")
    .optional(),
  TWILIO_API_SECRET: z.string().optional(),
  TWILIO_BASE_URL: httpUrl.default("https://api.twilio.com"),
  AWS_REGION: z.string().optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_ENDPOINT_URL_SNS: httpUrl.optional(),
  VONAGE_API_KEY: z.string().optional(),
  VONAGE_API_SECRET: z.string().optional(),
  VONAGE_BASE_URL: httpUrl.default("https://rest.nexmo.com"),
  SMTP_URL: smtpUrl.optional(),
  PUBLIC_URL: publicUrl.optional(),
  // Webhooks of events (settings.event_subscription).
  EVENT_HTTP_HOSTS: z.string().transform(parseHostNames).default([]),
  EVENT_SECRETS: z.string().transform(parseEventSecrets).default([]),
});

export const migratorEnvironment = base.extend({
  DATABASE_URL: url,
  SERVER_DATABASE_URL: url,
  GRAPHQL_DATABASE_URL: url,
  WORKER_DATABASE_URL: url,
});

/** By process. */
export const environmentSchemas = {
  server: requireTls(requireSigningKeys(requireSafeIssuer(requireRelyingParty(requireEncryption(serverEnvironment))))),
  graphql: requireTls(requireAdminSecret(graphqlEnvironment)),
  worker: requireTls(requireEncryption(workerEnvironment)),
  migrator: requireTls(migratorEnvironment),
};

export const allVariables = Object.values(environmentSchemas).flatMap(({ shape }) => Object.keys(shape));
