import { createServer, type AddressInfo } from "node:net";
import type pg from "pg";
import { expect, onTestFinished } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";
import { addHbaRule, startRoleCluster } from "../../testing/postgres/role_cluster.ts";
import { startSilentDatabase } from "../../testing/postgres/silent_database.ts";
import { startTlsCluster } from "../../testing/postgres/tls_cluster.ts";
import { DatabaseClient } from "./client.ts";

/** `tls` is a PostgreSQL with TLS for localhost, `plain` one without. Both know the role someone. */
const test = baseTest
  .extend("tls", { scope: "file" }, async ({}, { onCleanup }) => {
    const cluster = await startTlsCluster();
    onCleanup(() => cluster.postgres.stop());
    await cluster.superuserQuery(makeSomeone);
    return cluster;
  })
  .extend("plain", { scope: "file" }, async ({}, { onCleanup }) => {
    const cluster = await startRoleCluster();
    onCleanup(() => cluster.postgres.stop());
    await cluster.superuserQuery(makeSomeone);
    return cluster;
  });

const makeSomeone = "create role someone login password 'secret'";

interface Session {
  tls: boolean;
  port: number;
}

/** Logs in, and tells how. */
async function logIn(connectionString: string, options: pg.ClientConfig = {}): Promise<Session> {
  const client = new DatabaseClient({ connectionString, ...options });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Session>(
      `select s.ssl as tls, current_setting('port')::integer as port from pg_stat_ssl s where s.pid = pg_backend_pid()`,
    );
    return rows[0]!;
  } finally {
    await client.end();
  }
}

const someone = (host: string, port: number, parameters: Record<string, string> = {}): string =>
  `postgres://someone:secret@${host}:${port}/postgres?${new URLSearchParams(parameters).toString()}`;

type Expected = boolean | RegExp;

test.for<[mode: Record<string, string>, withTls: Expected, byNumber: Expected, without: Expected]>([
  [{ sslmode: "disable" }, false, false, false],
  [{ sslmode: "allow" }, false, false, false],
  [{ sslmode: "prefer" }, true, true, false],
  [{ sslmode: "require" }, true, true, /does not offer TLS/],
  [{ sslmode: "require", sslrootcert: "authority" }, true, true, /does not offer TLS/],
  [{ sslmode: "require", sslrootcert: "stranger" }, /TLS with localhost failed/, /TLS with 127/, /not offer/],
  [{ sslmode: "verify-ca", sslrootcert: "authority" }, true, true, /does not offer TLS/],
  [{ sslmode: "verify-ca", sslrootcert: "stranger" }, /TLS with localhost failed/, /TLS with 127/, /not offer/],
  [{ sslmode: "verify-full", sslrootcert: "authority" }, true, /IP: 127.0.0.1 is not in/, /does not offer TLS/],
  [{ sslmode: "verify-full", sslrootcert: "stranger" }, /TLS with localhost/, /TLS with 127/, /not offer/],
  [{ sslmode: "verify-full", sslrootcert: "system" }, /TLS with localhost/, /TLS with 127/, /not offer/],
  [{ sslmode: "verify-full" }, /TLS with localhost failed/, /TLS with 127/, /does not offer TLS/],
  [{ sslrootcert: "authority" }, true, /IP: 127.0.0.1 is not in/, /does not offer TLS/],
  [{ sslmode: "require", channel_binding: "require" }, true, true, /does not offer TLS/],
  [{}, false, false, false],
])("%j: TLS where the server has it, or a refusal", async ([given, withTls, byNumber, without], { tls, plain }) => {
  const parameters = { ...given };
  const file = tls.files[given.sslrootcert as "authority" | "stranger"];
  if (file) parameters.sslrootcert = file;
  for (const [host, port, expected] of [
    ["localhost", tls.postgres.port, withTls],
    ["127.0.0.1", tls.postgres.port, byNumber],
    ["127.0.0.1", plain.postgres.port, without],
  ] as const) {
    const session = logIn(someone(host, port, parameters));
    if (expected instanceof RegExp)
      await expect(session).rejects.toMatchObject({
        code: "08001",
        message: expect.stringMatching(expected) as string,
      });
    else expect(await session).toEqual({ tls: expected, port });
  }
});

test("allow and prefer use what pg_hba.conf admits, and a wrong password is no reason to try again", async ({
  tls,
}) => {
  const { port } = tls.postgres;
  for (const [rule, mode, other] of [
    ["hostnossl", "allow", true],
    ["hostssl", "prefer", false],
  ] as const) {
    const restore = await addHbaRule(tls, `${rule} all someone 127.0.0.1/32 reject`);
    expect(await logIn(someone("127.0.0.1", port, { sslmode: mode }))).toEqual({ tls: other, port });
    const weaker = someone("127.0.0.1", port, { sslmode: other ? "disable" : "require" });
    await expect(logIn(weaker)).rejects.toMatchObject({ code: "28000" });
    const wrong = someone("127.0.0.1", port, { sslmode: mode }).replace("secret", "wrong");
    await expect(logIn(wrong)).rejects.toMatchObject({ code: "28P01" });
    await restore();
  }
});

test("a role may log in by a certificate, and channel_binding=require refuses a login that has no password", async ({
  tls: cluster,
}) => {
  const { files, postgres } = cluster;
  const restore = await addHbaRule(cluster, "hostssl all someone 127.0.0.1/32 cert");
  const ours = { sslmode: "verify-ca", sslrootcert: files.authority };
  const certificate = { ...ours, sslcert: files.clientCertificate, sslkey: files.clientKey };
  expect(await logIn(someone("127.0.0.1", postgres.port, certificate))).toMatchObject({ tls: true });
  await expect(logIn(someone("127.0.0.1", postgres.port, ours))).rejects.toThrow();
  await expect(
    logIn(someone("127.0.0.1", postgres.port, { ...certificate, channel_binding: "require" })),
  ).rejects.toThrow(/does not bind the login to TLS/);
  await restore();
});

test("TLS begins at once with sslnegotiation=direct", async ({ tls: { postgres }, skip }) => {
  skip(postgres.major < 17);
  const parameters = { sslmode: "require", sslnegotiation: "direct" };
  expect(await logIn(someone("localhost", postgres.port, parameters))).toMatchObject({ tls: true });
});

test("bytes that come before TLS has begun are refused: they are from somebody in between", async ({ tls }) => {
  const port = await answer("SZ");
  const address = someone("127.0.0.1", port, { sslmode: "verify-ca", sslrootcert: tls.files.authority });
  await expect(logIn(address)).rejects.toThrow(/does not offer TLS/);
});

test("of several hosts the first one that answers and accepts writes is used", async ({ tls, plain }) => {
  const [read, write] = [tls.postgres.port, plain.postgres.port];
  const silent = new URL((await startSilentDatabase({ acceptsLogin: false })).url).port;
  const starting = await answer("E\0\0\0\x1dSFATAL\0C57P03\0Mstarting\0\0");
  const list = (ports: (number | string)[], parameters = "") =>
    logIn(`postgres://someone:secret@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/postgres?${parameters}`, {
      connectionTimeoutMillis: 20_000,
    });
  await tls.superuserQuery("alter role someone set default_transaction_read_only = on");
  expect(await list([1, read, write])).toMatchObject({ port: write });
  expect(await list([read, write], "target_session_attrs=any")).toMatchObject({ port: read });
  expect(await list([read, write], "sslmode=prefer&target_session_attrs=read-write")).toMatchObject({
    port: write,
  });
  expect(await list([starting, write])).toMatchObject({ port: write });
  expect(await list([silent, write])).toMatchObject({ port: write });
  await expect(list([1, read])).rejects.toThrow(/ECONNREFUSED 127.0.0.1:1; 127.0.0.1 is read-only/);
  await expect(list([read], "target_session_attrs=primary")).rejects.toMatchObject({ code: "25006" });
  await expect(
    logIn(`postgres://someone:wrong@127.0.0.1:${read},127.0.0.1:${write}/postgres`),
    "a refused login counts",
  ).rejects.toMatchObject({ code: "28P01" });
  await tls.superuserQuery("alter role someone reset default_transaction_read_only");
});

test("a client that nobody waits for any longer ends, whatever host is silent", async () => {
  const { url, untilUnanswered } = await startSilentDatabase({ acceptsLogin: false });
  const port = new URL(url).port;
  const address = `postgres://someone:secret@127.0.0.1:${port},127.0.0.1:${port}/postgres?sslmode=prefer`;
  const client = new DatabaseClient({ connectionString: address });
  // As with node-pg, it is never settled.
  void client.connect();
  await untilUnanswered;
  await client.end();
  await expect(logIn(address, { connectionTimeoutMillis: 50 })).rejects.toThrow(/did not answer|timeout expired/);
});

/** A server that answers the first message so. */
async function answer(bytes: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.write(Buffer.from(bytes, "latin1")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
