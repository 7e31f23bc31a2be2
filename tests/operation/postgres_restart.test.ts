import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { expect, test as baseTest } from "vitest";
import { childEnvironment } from "../../testing/child_environment.ts";
import { createRestClient, type Client } from "../../testing/service/rest_client.ts";
import { checkAgainstDocument } from "../../testing/service/openapi.ts";
import { eventually } from "../../testing/eventually.ts";
import { shared } from "../../testing/run/shared.ts";
import { goodPassword } from "../../testing/service/people.ts";
import { startRestartablePostgres } from "../../testing/postgres/restartable_postgres.ts";
import { startSmsGateway, type SmsGateway } from "../../testing/network/sms_gateway.ts";

/** `npmStart` runs on a PostgreSQL that the tests stop and start: server and worker in one process. */
const test = baseTest
  .extend("gateway", { scope: "file" }, async ({}, { onCleanup }) => {
    const gateway = await startSmsGateway();
    onCleanup(() => gateway.stop());
    return gateway;
  })
  .extend("postgres", { scope: "file" }, async ({ gateway }, { onCleanup }) => {
    const http = { providerToUse: "http", template: "{{code}} {{minutes}}", http: { url: gateway.url } };
    const postgres = await startRestartablePostgres(
      { OTP_PROVIDER: JSON.stringify(http) },
      await shared("installedHome"),
    );
    onCleanup(() => postgres.stop());
    return postgres;
  })
  .extend("npmStart", { scope: "file" }, ({ postgres }, { onCleanup }) => {
    const env = { ...childEnvironment(), ...postgres.env, PORT: "0", HOST: "127.0.0.1" };
    const child = spawn(process.execPath, [join(import.meta.dirname, "..", "..", "start.ts")], { env });
    onCleanup(() => void child.kill("SIGKILL"));
    child.stderr.resume();
    return child;
  })
  .extend("client", { scope: "file" }, async ({ npmStart }) => {
    let output = "";
    npmStart.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await eventually("it listens or ends", () => hasEnded(npmStart) || output.includes("Ctrl-C"));
    const url = /listening on (\S+)$/m.exec(output)?.[1] ?? "";
    return createRestClient(url.replace("localhost", "127.0.0.1"), checkAgainstDocument);
  });

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function signUp(client: Client, gateway: SmsGateway, phone: string): Promise<void> {
  await client.post("/auth/register", { phone, password: goodPassword });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  expect((await client.post("/auth/register/verify", { phone, otp })).status).toBe(200);
}

test.for(["fast", "immediate"] as const)(
  "the SMS that a vendor takes while PostgreSQL is stopped (%s) is recorded, sent once, and the process lives",
  async (mode, { gateway, postgres, npmStart, client }) => {
    const phone = mode === "fast" ? "+12125550101" : "+12125550102";
    await signUp(client, gateway, phone);
    gateway.behave("silent");
    await client.post("/auth/reset-password", { phone });
    const sms = await gateway.next(phone);

    await postgres.halt(mode);
    gateway.behave(200);
    gateway.answerLate(200);
    await postgres.resume();
    const jobs = "select from graphile_worker._private_jobs";
    await eventually(
      "the job is done, or the process ended",
      async () => hasEnded(npmStart) || (await postgres.query(jobs)).length === 0,
    );
    expect(hasEnded(npmStart)).toBe(false);
    expect(await postgres.query("select delivery from platform.otp_transaction where id = $1", [sms.id])).toEqual([
      { delivery: "sent" },
    ]);
    expect(gateway.received.filter(({ to }) => to === phone)).toHaveLength(2);

    const newPassword = "another fine password";
    const otp = sms.body.slice(0, 6);
    expect((await client.post("/auth/reset-password/verify", { phone, otp, newPassword })).status).toBe(200);
    expect((await client.sendOtp(`${phone.slice(0, -2)}9${phone.at(-1)}`)).status).toBe(200);
  },
);
