import { printTable, round } from "./parts/figures.ts";
import { startMeasuredService } from "./parts/measured_service.ts";
import { compare, costColumns, costHeading, type Contender } from "./parts/rounds.ts";
import { ours, type RouteName } from "./parts/route_work.ts";

/**
 * The routes of an account, as ratios to a refresh of the same run. A login by code is measured without the sending of
 * its code. ROUNDS and PER_ROUND change the size.
 */
const { ROUNDS = 5, PER_ROUND = 400 } = process.env;
const options = {
  width: 8,
  rounds: Number(ROUNDS),
  perRound: Number(PER_ROUND),
  warmUp: 3 * Number(PER_ROUND),
};
const plan = { width: options.width, count: options.warmUp + options.rounds * options.perRound };
const names: RouteName[] = ["refresh", "guest session", "session check", "logout", "login by code"];
names.push("list of 5 sessions", "list of 100 sessions");

const service = await startMeasuredService({ TRUST_PROXY: "loopback" });
try {
  const { pids, work, close } = ours(service, service);
  const contenders: Contender[] = [];
  for (const name of names) contenders.push({ name, pids, work: await work[name](plan) });
  const costs = await compare(contenders, options);
  printTable([
    ["route", ...costHeading, "× a refresh's CPU"],
    ...costs.map((cost, at) => [names[at] ?? "", ...costColumns(cost), round(cost.total / (costs[0]?.total ?? NaN))]),
  ]);
  await close();
} finally {
  await service.stop();
}
