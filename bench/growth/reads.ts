import { serverConfig } from "../../common/config.ts";
import { makeLog } from "../../common/log.ts";
import { startServer } from "../../server/server.ts";
import { bearer, makeClient, tokensOf, type Client, type Tokens } from "../../testing/client.ts";
import { median, quantile, round } from "../figures.ts";
import { leanClient, type LeanClient } from "../lean_client.ts";
import type { GrowthDatabase } from "./cluster.ts";
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
  headers: Record<(typeof roles)[number], Record<string, string>>;
  stop: () => Promise<void>;
}

/** Makes somebody who has used the service for long: 300 sessions and 100 one-time passwords. */
async function makeHeavyUser(client: Client, { superuser }: GrowthDatabase): Promise<Tokens> {
  const person = { phone: "+12125550100", password: "correct horse battery" };
  await client.post("/auth/register", person);
  await superuser.query(
    "select private.confirm_registration(r) from private.pending_registration r where r.phone = $1",
    [person.phone],
  );
  await superuser.query(
    `insert into "user".session (user_id) select a.id from "user".account a, generate_series(1, 300) where a.phone = $1`,
    [person.phone],
  );
  await superuser.query(
    `insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, created_at, expires_at)
     select private.new_id(), $1, 'PHONE', 'LOGIN', true, 'sent', now() + n * interval '1 second', now()
     from generate_series(1, 100) n`,
    [person.phone],
  );
  return tokensOf(await client.post("/auth/login", person));
}

async function startService(database: GrowthDatabase): Promise<Service> {
  // Without a bound on a user's share, which these reads one after another would reach.
  const env = { ...database.env, PORT: "0", HOST: "127.0.0.1", GRAPHQL_BUDGET_MS: "1000" };
  const config = serverConfig(env);
  const server = await startServer(config, makeLog("bench", "fatal"));
  const client = makeClient(server.url);
  const lean = leanClient(server.url, 1);
  return {
    lean,
    headers: {
      guest: bearer(tokensOf(await client.post("/auth/session/guest")).access_token),
      user: bearer((await makeHeavyUser(client, database)).access_token),
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

/** Milliseconds from request to answer; none if the service cut the read off. */
async function timesOf({ lean, headers }: Service, role: (typeof roles)[number], read: Read) {
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
  if (first === undefined) return [];
  const second = await once();
  if (Math.min(first, second) > slowMs) return [second];
  for (let run = 2; run < warmUpRuns; run++) await once();
  const taken: number[] = [];
  while (taken.length < runs) taken.push(await once());
  return taken;
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
            measured[index]?.push({ name: read.name, taken: await timesOf(service, role, read) });
        print(`${role} ${table}`, measured as [Measured[], Measured[]], role !== "admin");
      }
    }
  } finally {
    for (const service of services) await service.stop();
  }
}

interface Measured {
  name: string;
  taken: number[];
}

function print(what: string, [empty, grown]: [Measured[], Measured[]], hasTarget: boolean): void {
  const figures = (measured: Measured[]) => {
    const all = measured.flatMap(({ taken }) => taken);
    return [median(all), quantile(all, 0.99), Math.max(...all)] as const;
  };
  const inWords = (measured: Measured[]) => {
    const [p50, p99, longest] = figures(measured);
    return `p50 ${round(p50, 1)}, p99 ${round(p99, 1)}, longest ${round(longest, 1)} ms`;
  };
  const [, , longest] = figures(grown);
  const target = hasTarget ? ` (target 10: ${longest <= 10 ? "met" : "MISSED"})` : "";
  const [slowest] = grown
    .filter(({ taken }) => taken.length > 0)
    .toSorted((a, b) => median(b.taken) - median(a.taken));
  const cutOff = grown.filter(({ taken }) => taken.length === 0).map(({ name }) => name);
  console.log(
    `${what.padEnd(30)} ${inWords(grown)}${target}; empty: ${inWords(empty)}; slowest ${slowest?.name}, ` +
      `p50 ${round(median(slowest?.taken ?? []), 1)} ms${cutOff.length > 0 ? `; cut off: ${cutOff.join(", ")}` : ""}`,
  );
}
