import { expect, onTestFinished } from "vitest";
import { migratorConfig, workerConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { eventually } from "../../testing/eventually.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { askGraphql } from "../../testing/graphql/graphql_client.ts";
import type { Service } from "../../testing/service/service.ts";
import { removeProvider } from "../../testing/service/stored_setting.ts";
import { startTcpProxy } from "../../testing/network/tcp_proxy.ts";
import { startWorker } from "../../worker/worker.ts";

const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ worker: false }));

async function probe(url: string, path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url + path);
  return { status: response.status, body: await response.json() };
}

const ok = { status: 200, body: { status: "ok" } };
const unready = (...failed: string[]) => ({ status: 503, body: { status: "unready", failed } });

/** Waits until a probe responds like this. The server caches a result for a second. */
const becomes = ({ url }: { url: string }, expected: object, path = "/ready") =>
  eventually(`GET ${path} is ${JSON.stringify(expected)}`, async () => {
    const answer = await probe(url, path);
    return JSON.stringify(answer) === JSON.stringify(expected);
  });
const deliveryBecomes = (server: { url: string }, expected: object) => becomes(server, expected, "/ready/delivery");

const forgetWorkers = ({ database }: Service) => database.query("delete from private.worker_heartbeat");

test("GET /ready/delivery names the worker until one writes its heartbeat, which is young for 30 seconds; GET /ready is 200", async ({
  service,
}) => {
  await forgetWorkers(service);
  await deliveryBecomes(service, unready("worker"));
  expect(await probe(service.url, "/ready")).toEqual(ok);
  const worker = await startWorker(workerConfig(service.database.env), createLog("test", "silent"));
  await deliveryBecomes(service, ok);
  await worker.stop();
  await service.database.query("update private.worker_heartbeat set at = at - interval '30 seconds'");
  await deliveryBecomes(service, unready("worker"));
});

test("GET /ready/delivery names a provider that is deleted, or by which no worker can send, until one can; GET /ready is 200", async ({
  service,
}) => {
  await forgetWorkers(service);
  await service.database.query(
    "insert into private.worker_heartbeat (worker, at, can_send) values ('test', now() + interval '1 hour', true)",
  );
  await deliveryBecomes(service, ok);
  const stored = await removeProvider(service.database);
  await deliveryBecomes(service, unready("provider"));
  expect(await probe(service.url, "/ready")).toEqual(ok);
  // A port that only the worker sees to be none.
  const http = { url: "http://127.0.0.1:99999" };
  await service.set("OTP_PROVIDER", { providerToUse: "http", template: "{{code}}", http });
  await deliveryBecomes(service, ok);

  await forgetWorkers(service);
  const worker = await startWorker(workerConfig(service.database.env), createLog("test", "silent"));
  await deliveryBecomes(service, unready("provider"));
  expect(await probe(service.url, "/ready")).toEqual(ok);
  await worker.stop();
  await service.set("OTP_PROVIDER", stored);
  await forgetWorkers(service);
  const next = await startWorker(workerConfig(service.database.env), createLog("test", "silent"));
  await deliveryBecomes(service, ok);
  await next.stop();
});

test("GET /ready names the schema while a migration that the server needs is missing", async ({ service }) => {
  const [latest] = await service.database.query<{ id: number; name: string; run_on: Date }>(
    "delete from migration.applied where id = (select max(id) from migration.applied) returning *",
  );
  await becomes(service, unready("schema"));
  await service.database.query("insert into migration.applied (id, name, run_on) values ($1, $2, $3)", [
    latest?.id,
    latest?.name,
    latest?.run_on,
  ]);
  await becomes(service, ok);
});

test("GET /ready names the listener alone while LISTEN is away", async ({ service }) => {
  const { SERVER_DATABASE_URL } = migratorConfig(service.database.env);
  const proxy = await startTcpProxy(service.database.superuserUrl);
  onTestFinished(() => proxy.stop());
  const other = await service.startAnotherServer({
    SERVER_DATABASE_DIRECT_URL: proxy.through(SERVER_DATABASE_URL),
  });
  onTestFinished(() => other.stop());
  await becomes(other, ok);
  await proxy.cut();
  await becomes(other, unready("listener"));
  await proxy.restore();
  await becomes(other, ok);
});

test("GET /ready names a database that is away, and GET /live goes on", async ({ service }) => {
  await service.proxy.cut();
  await becomes(service, unready("database", "listener"));
  expect(await probe(service.url, "/live")).toEqual(ok);
  await service.proxy.restore();
  await becomes(service, ok);
});

/** Starts another server, with its own addresses: a pooler would give its connections each other's backends. */
async function startWatchedServer(service: Service) {
  const { database } = service;
  const { SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL } = migratorConfig(database.env);
  const other = await service.startAnotherServer({
    SERVER_DATABASE_URL,
    SERVER_DATABASE_DIRECT_URL: SERVER_DATABASE_URL,
    GRAPHQL_DATABASE_URL,
  });
  onTestFinished(() => other.stop());
  const readers = ["latchkey server pipeline", "latchkey graphql shared"];
  const backends = (call: string, names: string[]) =>
    database.query<{ pid: number }>(
      `select pid, ${call} from pg_stat_activity where datname = current_database() and application_name = any ($1)`,
      [names],
    );
  const guest = tokensOf(await other.client.post("/auth/session/guest"));
  const ask = askGraphql(other.url, bearer(guest.access_token));
  /** The backends of the connections that only read, after each of them was used. */
  const pids = async () => {
    // Twice: a new document does not use the shared connection.
    for (const query of ["{ user_session { id } }", "{ user_session { id } }"])
      expect((await ask(query)).code).toBeUndefined();
    return (await backends("true", readers)).map(({ pid }) => pid);
  };
  return {
    url: other.url,
    readers,
    pids,
    end: (names: string[]) => backends("pg_terminate_backend(pid, 5000)", names),
    /** Waits until each connection that only reads has another backend than before. */
    replaced: (before: number[]) =>
      eventually("connections that only read are replaced", async () => {
        // As a load balancer does. Nobody probes GraphQL, which checks by itself.
        await probe(other.url, "/ready");
        const after = await pids();
        return after.length === readers.length && after.every((pid) => !before.includes(pid));
      }),
  };
}

test("GET /ready names a database that became read-only, as a standby is, and the server leaves it", async ({
  service,
}) => {
  const { database } = service;
  const { url, readers, end, pids, replaced } = await startWatchedServer(service);
  // Its next probe is a second later: by then slow reads are over for which GraphQL leaves the shared connection.
  await becomes({ url }, ok);
  const alterRoles = (change: string) =>
    database.query(
      ["latchkey_server", "latchkey_graphql"]
        .map((role) => `alter role ${role} in database ${database.name} ${change}`)
        .join(";"),
    );
  onTestFinished(async () => {
    await alterRoles("reset default_transaction_read_only");
  });
  await alterRoles("set default_transaction_read_only = on");
  // These two are opened again on what is a standby now, and the check of each process finds that.
  await end(["latchkey server health", "latchkey graphql shared"]);
  await becomes({ url }, unready("database"));
  let before: number[] = [];
  // Slow reads of a busy machine leave the shared connection for a while.
  await eventually("both connections that only read are open", async () => {
    before = await pids();
    return before.length === readers.length;
  });
  // Not at once: on a busy machine the time-out of the check is reported first.
  await replaced(before);
  await alterRoles("reset default_transaction_read_only");
  await becomes({ url }, ok);
});

test("connections that read are replaced once LISTEN is back, which a standby refuses", async ({ service }) => {
  const { end, pids, replaced } = await startWatchedServer(service);
  const before = await pids();
  await end(["latchkey listener"]);
  await replaced(before);
});
