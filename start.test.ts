import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Environment } from "./config/environment.ts";
import { isAlive, readPostmasterFile, subfolders } from "./embedded/index.ts";
import { createRestClient, tokensOf, type Client } from "./testing/client.ts";
import { createTestDatabase } from "./testing/test_database.ts";
import { eventually } from "./testing/eventually.ts";
import { goodPassword } from "./testing/people.ts";

const postmasters = (home: string): number[] =>
  subfolders(home, "postgres-").flatMap((folder) => readPostmasterFile(join(folder, "data"))?.pid ?? []);

/** A home that PostgreSQL's user can reach; whatever still runs in it when the test ends is stopped. */
function newHome(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "latchkey-start-"));
  chmodSync(folder, 0o711);
  const home = join(folder, "home");
  onTestFinished(async () => {
    for (const pid of postmasters(home).filter(isAlive)) {
      process.kill(pid, "SIGQUIT");
      await eventually("the test's PostgreSQL ends", () => !isAlive(pid));
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return home;
}

interface Started {
  child: ChildProcess;
  output: { out: string; err: string };
  /** Sends a signal; result: the exit code and signal it ended with. */
  end: (signal: NodeJS.Signals) => Promise<unknown[]>;
  ended: Promise<unknown[]>;
}

/** npm start, as a process of its own. */
function start(home: string, given: Environment = {}): Started {
  const env = { PATH: process.env.PATH, LATCHKEY_HOME: home, PORT: "0", HOST: "127.0.0.1", ...given };
  const child = spawn(process.execPath, [join(import.meta.dirname, "start.ts")], {
    env,
    cwd: "/",
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  const ended = once(child, "close");
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended.then(() => [child.exitCode, child.signalCode]);
  };
  return { child, output, ended: ended.then(() => [child.exitCode, child.signalCode]), end };
}

async function startAndListen(home: string, given: Environment = {}): Promise<Started & { client: Client }> {
  const started = start(home, given);
  const { child, output } = started;
  await eventually("it listens or ends", () => child.exitCode !== null || output.out.includes("Ctrl-C"));
  const url = /^Latchkey is listening on (\S+)$/m.exec(output.out)?.[1];
  if (url === undefined) throw new Error(`it did not start: ${output.err}`);
  return { ...started, client: createRestClient(url.replace("localhost", "127.0.0.1")) };
}

/** Registers and verifies a phone by the code that the console provider prints. */
async function register({ client, output }: Awaited<ReturnType<typeof startAndListen>>, phone: string) {
  await client.post("/auth/register", { phone, password: goodPassword });
  expect((await client.sendOtp(phone)).status).toBe(200);
  const code = () => new RegExp(`^SMS to \\${phone}: Your code is (\\d{6})\\.`, "m").exec(output.out)?.[1];
  await eventually("the code is printed", () => code() !== undefined);
  return client.post("/auth/register/verify", { phone, otp: code() });
}

test("it says where it listens and where everything lies, and Ctrl-C stops all of it", async () => {
  const home = newHome();
  const started = await startAndListen(home);
  const { client, output, end } = started;
  expect(output.out).toContain(`data and secrets (admin secret, keys, pepper) are in ${home}\n`);
  const address = /psql "\$\(cat (.*)\)"/.exec(output.out)![1]!;
  expect(readFileSync(address, "utf8")).toMatch(/^postgres:\/\/latchkey_migrator:/);
  expect(statSync(address).mode & 0o777).toBe(0o600);
  expect((await client.get("/health")).body.data).toMatchObject({ status: "ok" });

  const [postmaster] = postmasters(home);
  expect(isAlive(postmaster!)).toBe(true);
  expect(await end("SIGINT")).toEqual([0, null]);
  expect(isAlive(postmaster!)).toBe(false);
  expect(output.err).toBe("");
});

test("a closed terminal stops all of it", async () => {
  const home = newHome();
  const { child, end } = await startAndListen(home);
  const [postmaster] = postmasters(home);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.kill("SIGHUP");
  expect(await end("SIGHUP"), "told by the kernel and by the shell").toEqual([0, null]);
  expect(isAlive(postmaster!)).toBe(false);
});

test("a second start has the accounts, sessions and secrets of the first", async () => {
  const home = newHome();
  const first = await startAndListen(home);
  expect((await register(first, "+12125550101")).status).toBe(200);
  const guest = tokensOf(await first.client.post("/auth/session/guest"));
  expect(await first.end("SIGTERM")).toEqual([0, null]);

  const second = await startAndListen(home);
  const login = await second.client.post("/auth/login", { phone: "+12125550101", password: goodPassword });
  expect(login.status).toBe(200);
  expect((await second.client.refresh(guest.refresh_token)).status).toBe(200);
  await second.end("SIGTERM");
});

test("after kill -9 the next start works, with what was committed", async () => {
  const home = newHome();
  const killed = await startAndListen(home);
  const guest = tokensOf(await killed.client.post("/auth/session/guest"));
  const [orphan] = postmasters(home);
  expect(await killed.end("SIGKILL")).toEqual([null, "SIGKILL"]);
  expect(isAlive(orphan!)).toBe(true);

  const next = await startAndListen(home);
  expect(isAlive(orphan!)).toBe(false);
  expect((await next.client.refresh(guest.refresh_token)).status).toBe(200);
  expect(await next.end("SIGINT")).toEqual([0, null]);
});

/** What a start that must fail says; nothing of it may be left running. */
async function refusal(home: string, given: Environment = {}): Promise<string> {
  const { output, ended } = start(home, given);
  expect(await ended).toEqual([1, null]);
  expect(postmasters(home).filter(isAlive)).toEqual([]);
  expect(output.out).toBe("");
  return output.err;
}

test("a port that is taken is one sentence", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  expect(await refusal(newHome(), { PORT: String(port) })).toBe(
    `Port ${port} is in use: set PORT to another one.\n`,
  );
});

test.each(["ADMIN_SECRET", "latchkey_migrator.password", "latchkey_server.password"])(
  "the secret %s that cannot be read is one sentence",
  async (name) => {
    const home = newHome();
    mkdirSync(join(home, "secrets", name), { recursive: true });
    chmodSync(home, 0o711);
    expect(await refusal(home)).toMatch(new RegExp(`^A secret cannot be kept in ${home}: EISDIR.*\\n$`));
  },
);

test("a bad setting is one sentence, and the next start without it works", async () => {
  const home = newHome();
  expect(await refusal(home, { OTP_LENGTH: "0" })).toMatch(/^OTP_LENGTH: .*\n$/);
  const started = await startAndListen(home);
  expect(await started.end("SIGINT")).toEqual([0, null]);
});

test("a second start beside a running one is one sentence, and does the first no harm", async () => {
  const home = newHome();
  const first = await startAndListen(home);
  const second = start(home);
  expect(await second.ended).toEqual([1, null]);
  expect(second.output.err).toBe(`Latchkey is already running from ${home}\n`);
  expect((await first.client.get("/health")).status).toBe(200);
  await first.end("SIGINT");
});

test("production without DATABASE_URL is one sentence, and nothing is made", async () => {
  const home = newHome();
  expect(await refusal(home, { NODE_ENV: "production" })).toBe(
    "DATABASE_URL is not set: with NODE_ENV=production there is no embedded PostgreSQL.\n",
  );
  expect(existsSync(home)).toBe(false);
});

test("with DATABASE_URL that database is migrated and used, and none is embedded", async () => {
  const database = await createTestDatabase({ migrated: false });
  onTestFinished(() => database.drop());
  const home = database.env.LATCHKEY_HOME!;
  const { client, output, end } = await startAndListen(home, { DATABASE_URL: database.env.DATABASE_URL });
  expect(output.out).toContain("database  the one that DATABASE_URL names");
  expect((await client.post("/auth/session/guest")).status).toBe(200);
  expect(await database.query('select from "user".session')).toHaveLength(1);
  expect(await end("SIGINT")).toEqual([0, null]);
  expect(subfolders(home, "postgres-")).toEqual([]);
});
