import { round } from "./figures.ts";
import { createLeanClient, type LeanClient } from "./lean_client.ts";
import { flags, startMeasuredService, type MeasuredService } from "./measured_service.ts";
import { compareCosts, type Candidate, type Cost } from "./side_by_side.ts";
import { longRoutes, trialRoutes, type RouteName } from "./trial/trial_routes.ts";

/**
 * npm run bench -- --trial: what each optimization saves. Two servers on one database take turns, one with all optimizations and
 * one without the measured one. Prints the rows of docs/performance.md. Compare percentages: the machine is noisy.
 * ONLY="batch,token_cache" selects trials, ROUTE="OTP send" one route.
 */
const only = process.env.ONLY?.split(",");
const onlyRoute = process.env.ROUTE;
const rounds = Number(process.env.ROUNDS ?? 7);
const perRound = Number(process.env.PER_ROUND ?? 600);
const widths = (process.env.WIDTHS ?? "1,8,32").split(",").map(Number);

interface Trial {
  name: string;
  routes: RouteName[];
  env?: { OPTIMIZATIONS_OFF: string };
  /** V8 flags of the server without the optimization. */
  flags?: string[];
}

const optimization = (name: string, ...routes: RouteName[]): Trial => ({
  ...{ name, routes },
  env: { OPTIMIZATIONS_OFF: name },
});

const trials: Trial[] = [
  optimization("batch", "guest session", "refresh", "OTP send", "wrong code", "login by code"),
  optimization("authorize_pipeline", "who am I", "GraphQL query"),
  optimization("read_pipeline", "GraphQL query"),
  optimization("token_cache", "who am I", "GraphQL query"),
  ...flags.map((flag) => ({
    name: flag,
    routes: ["guest session" as const, "GraphQL query" as const],
    flags: flags.filter((other) => other !== flag),
  })),
];

type MeasuredServer = Awaited<ReturnType<MeasuredService["startServer"]>>;

/** Without a limit for GraphQL's one caller, who sends more than a client may on a busy machine. */
const base = { TRUST_PROXY: "loopback", GRAPHQL_BUDGET_MS: "1000" };

/** Starts two new servers for each trial: V8 would have compiled more of one that has served other trials. */
async function startBoth(trial: Trial, service: MeasuredService): Promise<MeasuredServer[]> {
  return [await service.startServer(base), await service.startServer({ ...base, ...trial.env }, trial.flags)];
}

async function measure(
  service: MeasuredService,
  servers: MeasuredServer[],
  route: RouteName,
  width: number,
): Promise<[Cost, Cost]> {
  const { workerPid, postgresPid } = service;
  const isLong = longRoutes.includes(route);
  const options = {
    ...{ width, rounds, perRound: isLong ? Math.ceil(perRound / 2) : perRound },
    // Both servers have compiled a short route before its first width; V8 compiles as much in fewer requests where each does more.
    warmUp: isLong || width !== widths[0] ? 500 : 4_000,
  };
  const count = options.warmUp + rounds * options.perRound;
  const clients: LeanClient[] = [];
  const candidates: Candidate[] = [];
  for (const { url, pid } of servers) {
    // A login by code sends its codes with 32 in flight.
    const client = createLeanClient(url, Math.max(width, 32));
    clients.push(client);
    candidates.push({
      ...{ name: url, serverPid: pid, ...(route === "OTP send" && { workerPid }) },
      work: await trialRoutes[route]({ client, service, width, count }),
    });
  }
  const costs = await compareCosts(candidates, { postgresPid, ...options });
  for (const client of clients) await client.close();
  return costs as [Cost, Cost];
}

const formatColumns = ({ server, worker, postgres }: Cost, route: RouteName) =>
  (route === "OTP send" ? [server, worker, postgres] : [server, postgres])
    .map((ms) => ms.toFixed(2))
    .join(" + ");

export async function runTrials(): Promise<void> {
  const service = await startMeasuredService();
  try {
    console.log("| optimization | route | in flight | on, ms CPU (server + PostgreSQL) | off | saves |");
    console.log("| --- | --- | --- | --- | --- | --- |");
    for (const trial of trials.filter(({ name }) => only?.includes(name) ?? true)) {
      const servers = await startBoth(trial, service);
      for (const route of trial.routes.filter((name) => !onlyRoute || onlyRoute === name))
        for (const width of widths) {
          const [cost, without] = await measure(service, servers, route, width);
          const saved = round(100 * (1 - cost.total / without.total), 0);
          console.log(
            `| ${trial.name} | ${route} | ${width} | ${formatColumns(cost, route)} | ${formatColumns(without, route)} | ${saved} % |`,
          );
        }
      for (const server of servers) await server.stop();
    }
  } finally {
    await service.stop();
  }
}
