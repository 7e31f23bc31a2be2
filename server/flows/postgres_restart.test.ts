import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRestClient, type Client } from "../../testing/rest_client.ts";
import { checkAgainstDocument } from "../../testing/openapi.ts";
import { eventually } from "../../testing/eventually.ts";
import { goodPassword } from "../../testing/people.ts";
import { startRestartablePostgres, type RestartablePostgres } from "../../testing/restartable_postgres.ts";
import { startSmsGateway, type SmsGateway } from "../../testing/sms_gateway.ts";

let postgres: RestartablePostgres;
let gateway: SmsGateway;
let child: ChildProcess;
let client: Client;

/** npm start on a PostgreSQL that the tests stop and start: server and worker in one process. */
beforeAll(async () => {
  gateway = await startSmsGateway();
  const http = { providerToUse: "http", template: "{{code}} {{minutes}}", http: { url: gateway.url } };
  postgres = await startRestartablePostgres({ OTP_PROVIDER: JSON.stringify(http) });
  const env = { PATH: process.env.PATH, ...postgres.env, PORT: "0", HOST: "127.0.0.1" };
  child = spawn(process.execPath, [join(import.meta.dirname, "..", "..", "start.ts")], { env });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.resume();
  await eventually("it listens or ends", () => hasEnded() || output.includes("Ctrl-C"));
  const url = /listening on (\S+)$/m.exec(output)?.[1] ?? "";
  client = createRestClient(url.replace("localhost", "127.0.0.1"), checkAgainstDocument);
});
afterAll(async () => {
  child.kill("SIGKILL");
  await gateway.stop();
  await postgres.stop();
});

const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
const jobs = () => postgres.query("select from graphile_worker._private_jobs");
const smsTo = (phone: string) => gateway.received.filter(({ to }) => to === phone).length;

async function signUp(phone: string): Promise<void> {
  await client.post("/auth/register", { phone, password: goodPassword });
  const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  expect((await client.post("/auth/register/verify", { phone, otp })).status).toBe(200);
}

test.each(["fast", "immediate"] as const)(
  "the SMS that a vendor takes while PostgreSQL is stopped (%s) is recorded, sent once, and the process lives",
  async (mode) => {
    const phone = mode === "fast" ? "+12125550101" : "+12125550102";
    await signUp(phone);
    gateway.behave("silent");
    await client.post("/auth/reset-password", { phone });
    const sms = await gateway.next(phone);

    await postgres.halt(mode);
    gateway.behave(200);
    gateway.answerLate(200);
    await postgres.resume();
    await eventually("the job is done, or the process ended", async () =>
      hasEnded() ? true : (await jobs()).length === 0,
    );
    expect(hasEnded()).toBe(false);
    expect(
      await postgres.query("select delivery from platform.otp_transaction where id = $1", [sms.id]),
    ).toEqual([{ delivery: "sent" }]);
    expect(smsTo(phone)).toBe(2);

    const newPassword = "another fine password";
    const otp = sms.body.slice(0, 6);
    expect((await client.post("/auth/reset-password/verify", { phone, otp, newPassword })).status).toBe(200);
    expect((await client.sendOtp(`${phone.slice(0, -2)}9${phone.at(-1)}`)).status).toBe(200);
  },
);
