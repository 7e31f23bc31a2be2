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

/** Returns a home that PostgreSQL's user can reach. When the test ends, servers that run in it are stopped. */
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

interface StartedProcess {
  child: ChildProcess;
  output: { out: string; err: string };
  /** Sends a signal and resolves with the exit code and the signal that the process ended with. */
  end: (signal: NodeJS.Signals) => Promise<unknown[]>;
  ended: Promise<unknown[]>;
}

/** Runs npm start as a child process. */
function start(home: string, extraEnv: Environment = {}): StartedProcess {
  const env = { PATH: process.env.PATH, LATCHKEY_HOME: home, PORT: "0", HOST: "127.0.0.1", ...extraEnv };
  const child = spawn(process.execPath, [join(import.meta.dirname, "start.ts")], {
    env,
    cwd: "/",
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  const ended = once(child, "close").then(() => [child.exitCode, child.signalCode]);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { child, output, ended, end };
}

/** Runs npm start and waits until it listens. */
async function startAndListen(
  home: string,
  extraEnv: Environment = {},
): Promise<StartedProcess & { client: Client }> {
  const started = start(home, extraEnv);
  const { child, output } = started;
  await eventually(
    "npm start listens or exits",
    () => child.exitCode !== null || output.out.includes("Ctrl-C"),
  );
  const url = /^Latchkey is listening on (\S+)$/m.exec(output.out)?.[1];
  if (url === undefined) throw new Error(`npm start exited: ${output.err}`);
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

test("it prints its URL and the folder of its data, and Ctrl-C stops everything", async () => {
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

test("closing the terminal stops everything", async () => {
  const home = newHome();
  const { child, end } = await startAndListen(home);
  const [postmaster] = postmasters(home);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.kill("SIGHUP");
  expect(await end("SIGHUP"), "the kernel and the shell both send SIGHUP").toEqual([0, null]);
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

/** Runs npm start, which must fail, and returns its error message. No PostgreSQL may be left running. */
async function startError(home: string, extraEnv: Environment = {}): Promise<string> {
  const { output, ended } = start(home, extraEnv);
  expect(await ended).toEqual([1, null]);
  expect(postmasters(home).filter(isAlive)).toEqual([]);
  expect(output.out).toBe("");
  return output.err;
}

test("a port in use is an error of one sentence", async () => {
  const otherServer = createServer().listen(0, "127.0.0.1");
  await once(otherServer, "listening");
  onTestFinished(() => void otherServer.close());
  const { port } = otherServer.address() as AddressInfo;
  expect(await startError(newHome(), { PORT: String(port) })).toBe(
    `Port ${port} is in use: set PORT to another one.\n`,
  );
});

test.each(["ADMIN_SECRET", "latchkey_migrator.password", "latchkey_server.password"])(
  "an unreadable secret %s is an error of one sentence",
  async (name) => {
    const home = newHome();
    mkdirSync(join(home, "secrets", name), { recursive: true });
    chmodSync(home, 0o711);
    expect(await startError(home)).toMatch(new RegExp(`^Cannot store a secret in ${home}: EISDIR.*\\n$`));
  },
);

test("an invalid setting is an error of one sentence, and the next start without it works", async () => {
  const home = newHome();
  expect(await startError(home, { OTP_LENGTH: "0" })).toMatch(/^OTP_LENGTH: .*\n$/);
  const started = await startAndListen(home);
  expect(await started.end("SIGINT")).toEqual([0, null]);
});

test("a second start in the same home is an error of one sentence, and the first continues", async () => {
  const home = newHome();
  const first = await startAndListen(home);
  const second = start(home);
  expect(await second.ended).toEqual([1, null]);
  expect(second.output.err).toBe(`Latchkey is already running from ${home}\n`);
  expect((await first.client.get("/health")).status).toBe(200);
  await first.end("SIGINT");
});

test("production without DATABASE_URL is an error of one sentence, and nothing is created", async () => {
  const home = newHome();
  expect(await startError(home, { NODE_ENV: "production" })).toBe(
    "DATABASE_URL is not set: with NODE_ENV=production npm start runs no embedded PostgreSQL.\n",
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
