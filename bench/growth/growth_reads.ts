import { serverConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { startServer } from "../../server/server.ts";
import { bearer, createRestClient, tokensOf } from "../../testing/rest_client.ts";
import { preciseCpuOf } from "../parts/cpu.ts";
import { median, quantile, round } from "../parts/figures.ts";
import { createLeanClient, type LeanClient } from "../parts/lean_client.ts";
import type { GrowthDatabase } from "./growth_cluster.ts";
import { createHeavyUser } from "./heavy_user.ts";
import { readsOf, type Read } from "./root_fields.ts";
import { otpId } from "./rows.ts";

/** At the first requests PostGraphile plans the document and each pooled connection prepares the statement. */
const warmUpRuns = 5;
const runs = 20;
/** A read that takes longer, such as the admin's of a whole table, runs only twice. */
const slowMs = 200;
const roles = ["guest", "user", "admin"] as const;

interface Service {
  lean: LeanClient;
  /** CPU milliseconds used by GraphQL's PostgreSQL backends. */
  cpu: () => Promise<number>;
  headers: Record<(typeof roles)[number], Record<string, string>>;
  stop: () => Promise<void>;
}

async function startService(database: GrowthDatabase): Promise<Service> {
  // The largest budget: these sequential reads would exceed the default share of one user.
  const env = { ...database.env, PORT: "0", HOST: "127.0.0.1", GRAPHQL_BUDGET_MS: "1000" };
  const config = serverConfig(env);
  const server = await startServer(config, createLog("bench", "fatal"));
  const client = createRestClient(server.url);
  const lean = createLeanClient(server.url, 1);
  return {
    lean,
    async cpu() {
      const { rows } = await database.superuser.query<{ pid: number }>(
        "select pid from pg_stat_activity where usename = 'latchkey_graphql' and datname = current_database()",
      );
      return rows.reduce((sum, { pid }) => sum + preciseCpuOf(pid), 0);
    },
    headers: {
      guest: bearer(tokensOf(await client.post("/auth/session/guest")).access_token),
      user: bearer((await createHeavyUser(client, database)).access_token),
      admin: { "x-hasura-admin-secret": config.ADMIN_SECRET },
    },
    async stop() {
      await lean.close();
      await server.stop();
    },
  };
}

type Ask = (query: string, variables?: object) => Promise<{ data: Record<string, Record<string, string>[]> }>;

/** Returns the key of a visible row; if there is none, of another user's row, which costs the same look-up. */
async function keyOf(ask: Ask, { table, key }: Read): Promise<string> {
  const { data } = await ask(`{ ${table}(limit: 1) { ${key} } }`);
  return data[table]?.[0]?.[key ?? ""] ?? otpId(1);
}

interface Measured {
  name: string;
  /** Milliseconds from request to response; empty if the read timed out. */
  durations: number[];
  /** CPU milliseconds of PostgreSQL per read; less noisy than the duration. */
  cpu: number;
}

async function measureRead(
  { lean, headers, cpu }: Service,
  role: (typeof roles)[number],
  read: Read,
): Promise<Measured> {
  const { name } = read;
  const ask: Ask = async (query, variables = {}) => {
    const answer = await lean.post("/v1/graphql", { query, variables }, headers[role]);
    const { errors } = answer as { errors?: { message: string }[] };
    if (errors) throw new Error(`${read.table} ${read.name}: ${errors[0]?.message}`);
    return answer as Awaited<ReturnType<Ask>>;
  };
  const variables = read.key === undefined ? {} : { key: await keyOf(ask, read) };
  const once = async () => {
    const started = performance.now();
    await ask(read.query, variables);
    return performance.now() - started;
  };
  const first = await once().catch((error: unknown) => {
    if ((error as Error).message.includes("took too long")) return undefined;
    throw error;
  });
  if (first === undefined) return { name, durations: [], cpu: NaN };
  const second = await once();
  if (Math.min(first, second) > slowMs) return { name, durations: [second], cpu: NaN };
  for (let run = 2; run < warmUpRuns; run++) await once();
  const before = await cpu();
  const durations: number[] = [];
  while (durations.length < runs) durations.push(await once());
  return { name, durations, cpu: ((await cpu()) - before) / runs };
}

/** Prints the duration of each role's reads over HTTP, in the large database and, for comparison, in the empty one. */
export async function measureReads(empty: GrowthDatabase, grown: GrowthDatabase): Promise<void> {
  const services: Service[] = [];
  try {
    for (const database of [empty, grown]) services.push(await startService(database));
    for (const role of roles) {
      const reads = readsOf(role === "admin" ? "admin" : "user");
      for (const table of new Set(reads.map((read) => read.table))) {
        const measured = services.map(() => [] as Measured[]);
        for (const read of reads.filter((candidate) => candidate.table === table))
          for (const [index, service] of services.entries())
            measured[index]?.push(await measureRead(service, role, read));
        print(`${role} ${table}`, measured as [Measured[], Measured[]], role !== "admin");
      }
    }
  } finally {
    for (const service of services) await service.stop();
  }
}

/** The target is the median of the slowest read. */
function print(what: string, [empty, grown]: [Measured[], Measured[]], hasTarget: boolean): void {
  const format = (measured: Measured[]) => {
    const all = measured.flatMap(({ durations }) => durations);
    const cpus = measured.map(({ cpu }) => cpu).filter((cpu) => !Number.isNaN(cpu));
    return (
      `p50 ${round(median(all), 1)}, p99 ${round(quantile(all, 0.99), 1)}, longest ${round(Math.max(...all), 1)} ms, ` +
      `PostgreSQL ${round(median(cpus))} to ${round(Math.max(...cpus))} ms CPU`
    );
  };
  const [slowest] = grown
    .filter(({ durations }) => durations.length > 0)
    .toSorted((a, b) => median(b.durations) - median(a.durations));
  const p50 = median(slowest?.durations ?? []);
  const target = hasTarget ? ` (target 10: ${p50 <= 10 ? "met" : "MISSED"})` : "";
  const cutOff = grown.filter(({ durations }) => durations.length === 0).map(({ name }) => name);
  console.log(
    `${what.padEnd(30)} ${format(grown)}; slowest ${slowest?.name}, p50 ${round(p50, 1)} ms${target}; ` +
      `empty: ${format(empty)}${cutOff.length > 0 ? `; cut off: ${cutOff.join(", ")}` : ""}`,
  );
}
