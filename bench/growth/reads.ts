import { serverConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { startServer } from "../../server/server.ts";
import { bearer, createRestClient, tokensOf } from "../../testing/client.ts";
import { preciseCpuOf } from "../cpu.ts";
import { median, quantile, round } from "../figures.ts";
import { createLeanClient, type LeanClient } from "../lean_client.ts";
import type { GrowthDatabase } from "./cluster.ts";
import { createHeavyUser } from "./heavy_user.ts";
import { readsOf, type Read } from "./root_fields.ts";
import { otpId } from "./rows.ts";

/** PostGraphile plans a document, and each pooled connection prepares its statement, at the first requests. */
const warmUpRuns = 5;
const runs = 20;
/** A read that takes longer, as the admin's of whole tables do, is made once more and no oftener. */
const slowMs = 200;
const roles = ["guest", "user", "admin"] as const;

interface Service {
  lean: LeanClient;
  /** CPU milliseconds that PostgreSQL's backends of GraphQL have used. */
  cpu: () => Promise<number>;
  headers: Record<(typeof roles)[number], Record<string, string>>;
  stop: () => Promise<void>;
}

async function startService(database: GrowthDatabase): Promise<Service> {
  // Without a bound on a user's share, which these reads one after another would reach.
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

/** A row that the caller sees; somebody else's where it sees none, which costs the same look-up. */
async function keyOf(ask: Ask, { table, key }: Read): Promise<string> {
  const { data } = await ask(`{ ${table}(limit: 1) { ${key} } }`);
  return data[table]?.[0]?.[key ?? ""] ?? otpId(1);
}

interface Measured {
  name: string;
  /** Milliseconds from request to answer; none if the service cut the read off. */
  taken: number[];
  /** CPU milliseconds of PostgreSQL per read, which tells more on a machine that others use too. */
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
  if (first === undefined) return { name, taken: [], cpu: NaN };
  const second = await once();
  if (Math.min(first, second) > slowMs) return { name, taken: [second], cpu: NaN };
  for (let run = 2; run < warmUpRuns; run++) await once();
  const before = await cpu();
  const taken: number[] = [];
  while (taken.length < runs) taken.push(await once());
  return { name, taken, cpu: ((await cpu()) - before) / runs };
}

/** Prints what each read of each role takes over HTTP, by the same in the empty database: that much is not the rows'. */
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

/** Judged by the median of the slowest read: the longest one is printed beside that of the empty database. */
function print(what: string, [empty, grown]: [Measured[], Measured[]], hasTarget: boolean): void {
  const inWords = (measured: Measured[]) => {
    const all = measured.flatMap(({ taken }) => taken);
    const cpus = measured.map(({ cpu }) => cpu).filter((cpu) => !Number.isNaN(cpu));
    return (
      `p50 ${round(median(all), 1)}, p99 ${round(quantile(all, 0.99), 1)}, longest ${round(Math.max(...all), 1)} ms, ` +
      `PostgreSQL ${round(median(cpus))} to ${round(Math.max(...cpus))} ms CPU`
    );
  };
  const [slowest] = grown
    .filter(({ taken }) => taken.length > 0)
    .toSorted((a, b) => median(b.taken) - median(a.taken));
  const p50 = median(slowest?.taken ?? []);
  const target = hasTarget ? ` (target 10: ${p50 <= 10 ? "met" : "MISSED"})` : "";
  const cutOff = grown.filter(({ taken }) => taken.length === 0).map(({ name }) => name);
  console.log(
    `${what.padEnd(30)} ${inWords(grown)}; slowest ${slowest?.name}, p50 ${round(p50, 1)} ms${target}; ` +
      `empty: ${inWords(empty)}${cutOff.length > 0 ? `; cut off: ${cutOff.join(", ")}` : ""}`,
  );
}
