import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { isAlive, subfolders } from "../../embedded/index.ts";
import { tokensOf } from "../../testing/service/rest_client.ts";
import { createTestDatabase } from "../../testing/postgres/test_database.ts";
import { eventually } from "../../testing/eventually.ts";
import { goodPassword } from "../../testing/service/people.ts";
import {
  installedHome,
  newHome,
  postmasters,
  start,
  startAndListen,
  withoutGraphql,
} from "../../testing/service/npm_start.ts";

/** Registers and verifies a phone by the code that the console provider prints. */
async function register({ client, output }: Awaited<ReturnType<typeof startAndListen>>, phone: string) {
  await client.post("/auth/register", { phone, password: goodPassword });
  expect((await client.sendOtp(phone)).status).toBe(200);
  const code = () => new RegExp(`^SMS to \\${phone}: Your code is (\\d{6})\\.`, "m").exec(output.out)?.[1];
  await eventually("the code is printed", () => code() !== undefined);
  return client.post("/auth/register/verify", { phone, otp: code() });
}

/** The status of a GraphQL request with this admin secret. */
async function requestAsAdmin(url: string, secret: string): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-admin-secret": secret },
    body: JSON.stringify({ query: "{ user_account { id } }" }),
  });
  return response.status;
}

/** The child processes that run this program. */
const childrenOf = (pid: number, program: string): number[] =>
  spawnSync("pgrep", ["-P", String(pid), "-f", program], { encoding: "utf8" })
    .stdout.split("\n")
    .filter(Boolean)
    .map(Number);

test("it prints its URL, the consoles', the admin secret's file and the folder of its data, and Ctrl-C stops everything", async () => {
  const home = newHome();
  const started = await startAndListen(home);
  const { client, output, end } = started;
  expect(output.out).toContain(`data and secrets (admin secret, keys, pepper) are in ${home}\n`);
  const address = /psql "\$\(cat (.*)\)"/.exec(output.out)![1]!;
  expect(readFileSync(address, "utf8")).toMatch(/^postgres:\/\/latchkey_migrator:/);
  expect(statSync(address).mode & 0o777).toBe(0o600);
  expect((await client.get("/health")).body.data).toMatchObject({ status: "ok" });

  const docs = /docs {6}(\S+\/docs)\n/.exec(output.out)![1]!;
  expect(await (await fetch(docs)).text()).toContain("<h1>API reference</h1>");
  const [, admin, graphiql] = /consoles {2}(\S+\/admin) for operators, (\S+\/console) for/.exec(output.out)!;
  for (const page of [admin, graphiql]) expect((await fetch(page!)).status).toBe(200);
  const secret = readFileSync(/secret of role admin: cat (\S+)\n/.exec(output.out)![1]!, "utf8");
  expect(await requestAsAdmin(graphiql!.replace("/console", "/v1/graphql"), secret)).toBe(200);

  await fetch(graphiql!, { headers: { origin: "http://localhost:5173" } });
  await eventually("the terminal names the refused origin", () =>
    /"origin":"http:\/\/localhost:5173".*add the origin to CORS_ORIGINS/.test(output.out),
  );

  const [postmaster] = postmasters(home);
  expect(isAlive(postmaster!)).toBe(true);
  expect(await end("SIGINT")).toEqual([0, null]);
  expect(isAlive(postmaster!)).toBe(false);
  expect(output.err).toBe("");
});

test("Ctrl-C while GraphQL still starts stops everything, and is no error", async () => {
  const { output, end } = start(await installedHome(), { LOG_LEVEL: "info" });
  // The lines of worker, server and GraphQL, which listens later.
  await eventually("GraphQL starts", () => output.out.split("database connections").length === 4);
  expect(await end("SIGINT")).toEqual([0, null]);
  expect(output.err).toBe("");
});

test("closing the terminal stops everything", async () => {
  const home = await installedHome();
  const { child, end } = await startAndListen(home);
  const [postmaster] = postmasters(home);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.kill("SIGHUP");
  expect(await end("SIGHUP"), "the kernel and the shell both send SIGHUP").toEqual([0, null]);
  expect(isAlive(postmaster!)).toBe(false);
});

test("a second start has the accounts, sessions and secrets of the first", async () => {
  const home = await installedHome();
  const first = await startAndListen(home, withoutGraphql);
  expect((await register(first, "+12125550101")).status).toBe(200);
  const guest = tokensOf(await first.client.post("/auth/session/guest"));
  expect(await first.end("SIGTERM")).toEqual([0, null]);

  const second = await startAndListen(home, withoutGraphql);
  const login = await second.client.post("/auth/login", { phone: "+12125550101", password: goodPassword });
  expect(login.status).toBe(200);
  expect((await second.client.refresh(guest.refresh_token)).status).toBe(200);
  await second.end("SIGTERM");
});

test("after kill -9 the next start works, with what was committed", async () => {
  const home = await installedHome();
  const killed = await startAndListen(home, withoutGraphql);
  const guest = tokensOf(await killed.client.post("/auth/session/guest"));
  const [orphan] = postmasters(home);
  expect(await killed.end("SIGKILL")).toEqual([null, "SIGKILL"]);
  expect(isAlive(orphan!)).toBe(true);

  const next = await startAndListen(home, withoutGraphql);
  expect(isAlive(orphan!)).toBe(false);
  expect((await next.client.refresh(guest.refresh_token)).status).toBe(200);
  expect(await next.end("SIGINT")).toEqual([0, null]);
});

test("with DATABASE_URL that database is migrated and used, and none is embedded", async () => {
  const database = await createTestDatabase({ migrated: false });
  onTestFinished(() => database.drop());
  const home = database.env.LATCHKEY_HOME!;
  const ADMIN_SECRET = "a secret of 32 characters or more";
  const { client, output, end } = await startAndListen(home, {
    DATABASE_URL: database.env.DATABASE_URL,
    ADMIN_SECRET,
    CONSOLE: "off",
  });
  expect(output.out).toContain("database  the one that DATABASE_URL names");
  expect(output.out).toContain("secret of role admin: the one in ADMIN_SECRET\n");
  expect(output.out).not.toMatch(/console for|\/admin|a secret of 32/);
  expect((await client.post("/auth/session/guest")).status).toBe(200);
  expect(await database.query('select from "user".session')).toHaveLength(1);
  expect(await end("SIGINT")).toEqual([0, null]);
  expect(subfolders(home, "postgres-")).toEqual([]);
});

test("when GraphQL is killed, sign-in does not notice, and sockets are back within five seconds", async () => {
  const startedAt = performance.now();
  const { client, child, output, end } = await startAndListen(await installedHome());
  // A busy machine takes longer for this start, too.
  const mostMs = 5_000 + performance.now() - startedAt;
  const { access_token } = tokensOf(await client.post("/auth/session/guest"));
  const url = `${/^Latchkey is listening on (\S+)$/m.exec(output.out)![1]!.replace("http", "ws")}/v1/graphql`;
  const connect = async (): Promise<WebSocket | undefined> => {
    const socket = new WebSocket(url, "graphql-transport-ws");
    onTestFinished(() => socket.terminate());
    socket.on("error", () => undefined);
    socket.on("open", () =>
      socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${access_token}` } })),
    );
    const answered = await Promise.race([
      once(socket, "message").then(([data]) => String(data)),
      once(socket, "close").then(() => ""),
      // 503 while it is away.
    ]).catch(() => "");
    return answered.includes("connection_ack") ? socket : undefined;
  };
  const socket = (await connect())!;
  const lost = once(socket, "close");
  const [program] = childrenOf(child.pid!, "graphql/main.ts");
  process.kill(program!, "SIGKILL");
  const killedAt = performance.now();
  expect((await client.post("/auth/session/guest")).status).toBe(200);
  await lost;
  await eventually("another program is started", () =>
    childrenOf(child.pid!, "graphql/main.ts").some((pid) => pid !== program),
  );
  expect(performance.now() - killedAt).toBeLessThan(5_000);
  await eventually("a socket is back", async () => (await connect()) !== undefined);
  expect(performance.now() - killedAt).toBeLessThan(mostMs);
  expect(childrenOf(child.pid!, "graphql/main.ts")).not.toContain(program);

  const [last] = childrenOf(child.pid!, "graphql/main.ts");
  expect(await end("SIGKILL")).toEqual([null, "SIGKILL"]);
  await eventually("GraphQL ends with the process that started it", () => !isAlive(last!));
});
