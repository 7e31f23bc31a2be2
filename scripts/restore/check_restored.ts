import { randomUUID } from "node:crypto";
import { migratorConfig, serverConfig, workerConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { migrate } from "../../db/migrate.ts";
import { createLog } from "../../runtime/log.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import { createPrintedMessages } from "../../runtime/printed_messages.ts";
import { startServer } from "../../server/server.ts";
import { startWorker } from "../../worker/worker.ts";
import type { RestoredCluster } from "./restored_cluster.ts";
import { runSql } from "./restored_cluster.ts";

/** Runs a step and prints what it did and how long it took. */
export type Step = <T>(name: string, work: () => Promise<T>, told?: (result: T) => string) => Promise<T>;

/** Migrates a restored database, looks at what is in it, and signs in to it over HTTP. */
export async function checkRestored(
  { superuserUrl, migratorUrl }: RestoredCluster,
  secrets: Environment,
  step: Step,
): Promise<void> {
  const env: Environment = { ...secrets, DATABASE_URL: migratorUrl, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
  // Whatever is set in production: nothing is sent, no subscriber gets an event, and everybody may register.
  await step("settings of the copy are the defaults, messages are printed", () =>
    runSql(
      superuserUrl,
      `set session_replication_role = replica;
       delete from settings.configuration;
       update private.setting_definition set environment_value = null;
       do $$ begin
         if to_regclass('settings.event_subscription') is not null then
           delete from settings.event_subscription;
           delete from platform.event_delivery;
         end if;
       end $$`,
    ),
  );
  const lines: string[] = [];
  await step(
    "migrated",
    () => migrate({ ...migratorConfig(env), derivedAddresses: [] }, (line) => lines.push(line)),
    // The first sentence of each.
    () =>
      lines
        .filter((line) => /^(restored|a standby|migrated)/.test(line))
        .map((line) => line.split(". ")[0])
        .join("; "),
  );
  await step(
    "read",
    () => runSql(superuserUrl, content),
    ([row]) =>
      Object.entries(row ?? {})
        .map(([key, value]) => `${key}: ${String(value)}`)
        .join(", "),
  );
  await step("events verified", async () => {
    const [fault] = await runSql(superuserUrl, "select f::text as fault from platform.verify_events() f limit 1");
    if (fault) throw new OperatorError(`platform.verify_events found a fault in the events: ${String(fault.fault)}`);
  });

  const printed = createPrintedMessages();
  const log = createLog("restore:check", "silent");
  const worker = await step("worker started", () => startWorker(workerConfig(env), log, printed.add));
  try {
    const server = await step(
      "server started",
      () => startServer({ ...serverConfig(env), DEMO: false }, log),
      ({ url }) => url,
    );
    try {
      const phone = await unusedPhone(superuserUrl);
      await step("signed in with a new account", () => signIn(server.url, phone, () => printed.textsTo(phone).at(-1)));
    } finally {
      await server.stop();
    }
  } finally {
    await worker.stop();
  }
}

const content = `select (select count(*) from "user".account) as accounts,
  (select count(*) from "user".session where revoked_at is null and refresh_token_expires_at > now()) as "live sessions",
  (select to_char(max(created_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') from "user".session) as "latest session"`;

/** Of the numbers that are kept for fiction. */
async function unusedPhone(superuserUrl: string): Promise<string> {
  const [row] = await runSql(
    superuserUrl,
    `select p.phone from generate_series(100, 199) n, lateral (select '+12125550' || n as phone) p
     where not exists (select from "user".account a where a.phone = p.phone) limit 1`,
  );
  if (!row)
    throw new OperatorError(
      "The phones +12125550100 to +12125550199 all have accounts, so none is free for the check.",
    );
  return String(row.phone);
}

async function signIn(url: string, phone: string, lastText: () => string | undefined): Promise<void> {
  const password = randomUUID();
  const call = async (path: string, init: RequestInit): Promise<Record<string, string>> => {
    const response = await fetch(`${url}/api/v1${path}`, init);
    const body = (await response.json()) as { data?: Record<string, string>; error?: { code: string } };
    if (!response.ok || !body.data)
      throw new OperatorError(
        `Signing in failed: ${init.method} ${path} answered ${response.status} ${body.error?.code}.`,
      );
    return body.data;
  };
  const post = (path: string, body: object) =>
    call(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  await post("/auth/register", { phone, password });
  await post("/otp/send", { input: { identifier: phone, identifierType: "PHONE", purpose: "SIGNUP" } });
  const otp = /\d{6}/.exec(lastText() ?? "")?.[0];
  if (otp === undefined) throw new OperatorError("Signing in failed: the worker printed no code.");
  await post("/auth/register/verify", { phone, otp });
  const { access_token: token } = await post("/auth/login", { phone, password });
  await call("/auth/session", { method: "GET", headers: { authorization: `Bearer ${token}` } });
}
