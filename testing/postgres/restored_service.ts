import { expect, onTestFinished } from "vitest";
import { workerConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { startWorker } from "../../worker/worker.ts";
import { startSmsGateway, type SmsGateway } from "../network/sms_gateway.ts";
import { runRecipe } from "../documents/run_recipe.ts";
import { goodPassword } from "../service/people.ts";
import type { Client, Tokens } from "../service/rest_client.ts";
import { withServer, type Cluster } from "./installation.ts";
import { query } from "./role_cluster.ts";
import { databaseOf } from "./urls.ts";

const phones = { owner: "+12125550100", later: "+12125550102" };

/** What somebody holds of a service at the moment of a backup. */
export interface Backup {
  code: string;
  /** Of sessions that stay as they are, are revoked and are refreshed after the moment. */
  kept: Tokens;
  revoked: Tokens;
  refreshed: Tokens;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ofPlatform = ({ superuserUrl }: Cluster, sql: string) => query(databaseOf(superuserUrl, "latchkey"), sql);

async function withWorker<T>(cluster: Cluster, work: (client: Client) => Promise<T>): Promise<T> {
  const worker = await startWorker(workerConfig(cluster.env), createLog("test", "silent"));
  return withServer(cluster, work).finally(() => worker.stop());
}

async function gatewayOf(cluster: Cluster): Promise<SmsGateway> {
  const gateway = await startSmsGateway();
  onTestFinished(() => gateway.stop());
  const OTP_PROVIDER = { providerToUse: "http", template: "{{code}}", http: { url: gateway.url } };
  await runRecipe("npm run db:migrate", { ...cluster.env, OTP_PROVIDER: JSON.stringify(OTP_PROVIDER) });
  return gateway;
}

async function tokensOf(client: Client): Promise<Tokens> {
  const { status, body } = await client.post("/auth/login", { phone: phones.owner, password: goodPassword });
  expect(status).toBe(200);
  return body.data as unknown as Tokens;
}

/** Signs a person up, and leaves a code that was sent and a message that waits for a worker. */
export async function useService(cluster: Cluster): Promise<Backup> {
  const gateway = await gatewayOf(cluster);
  const backup = await withWorker(cluster, async (client) => {
    await client.post("/auth/register", { phone: phones.owner, password: goodPassword });
    const [, otp] = await Promise.all([client.sendOtp(phones.owner), gateway.nextCode(phones.owner)]);
    expect((await client.post("/auth/register/verify", { phone: phones.owner, otp })).status).toBe(200);
    const [, code] = await Promise.all([client.sendOtp(phones.owner, "LOGIN"), gateway.nextCode(phones.owner)]);
    const [kept, revoked, refreshed] = [await tokensOf(client), await tokensOf(client), await tokensOf(client)];
    return { code, kept, revoked, refreshed };
  });
  // Its request does not wait, and no worker runs.
  await withServer(cluster, (client) => client.post("/auth/reset-password", { phone: phones.owner }));
  expect(await ofPlatform(cluster, "select task_identifier from graphile_worker.jobs")).toEqual([
    { task_identifier: "send_otp" },
  ]);
  return backup;
}

/** What happens after the moment of the backup. Returns the ids of the sessions that were revoked. */
export async function useServiceLater(cluster: Cluster, backup: Backup): Promise<string[]> {
  return withServer(cluster, async (client) => {
    const { status, body } = await client.refresh(backup.refreshed.refresh_token);
    expect(status).toBe(200);
    backup.refreshed = body.data as unknown as Tokens;
    expect((await client.post("/auth/logout", {}, bearer(backup.revoked.access_token))).status).toBe(200);
    return [backup.revoked.session_id];
  });
}

/** Expects of a restored database, which a migration has settled, that nothing from before the restore counts. */
export async function expectSettled(cluster: Cluster, backup: Backup, revocations: string[]): Promise<void> {
  expect(await ofPlatform(cluster, "select task_identifier from graphile_worker.jobs")).toEqual([]);
  const { DATABASE_URL = "" } = cluster.env;
  await query(DATABASE_URL, `set role latchkey_owner; select platform.apply_revocations('{${revocations.join(",")}}')`);
  const gateway = await gatewayOf(cluster);
  await withWorker(cluster, async (client) => {
    const session = (token: string) => client.get("/auth/session", bearer(token));
    const login = await client.post("/auth/login/otp", { phone: phones.owner, otp: backup.code });
    expect(login.code).toBe("OTP_EXPIRED");

    for (const { access_token } of [backup.kept, backup.refreshed])
      expect((await session(access_token)).body.error).toMatchObject({
        code: "SESSION_NOT_FOUND",
        details: { reason: "token_expired" },
      });
    expect((await session(backup.revoked.access_token)).code).toBe("SESSION_REVOKED");
    expect((await client.refresh(backup.revoked.refresh_token)).code).toBe("SESSION_REVOKED");
    expect((await client.refresh(backup.refreshed.refresh_token)).code).toBe("SESSION_REVOKED");
    const { status, body } = await client.refresh(backup.kept.refresh_token);
    expect(status).toBe(200);
    expect((await session((body.data as unknown as Tokens).access_token)).status).toBe(200);

    // The queue is in order: had the old message stayed, it would have come first.
    await Promise.all([client.sendOtp(phones.later), gateway.next(phones.later)]);
    expect(gateway.received.map(({ to }) => to)).toEqual([phones.later]);
    await tokensOf(client);
  });
  expect(await ofPlatform(cluster, "select * from platform.verify_events()")).toEqual([]);
}
