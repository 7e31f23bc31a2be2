import { round } from "./figures.ts";
import { compare, costColumns, costHeading, type Contender, type Cost, type Rounds } from "./rounds.ts";
import { routes, type Program, type RouteName } from "./route_work.ts";

/** One route, on each program that offers it. */
export interface MeasuredRoute {
  route: RouteName;
  costs: { name: string; cost: Cost }[];
}

/**
 * Measures each route on all programs that offer it, side by side. ROUTE chooses one; ROUNDS, PER_ROUND, WARM_UP and
 * WIDTH change the size.
 * @param only the routes to measure; default all of them
 * @param width how many requests are in flight; default WIDTH
 */
export async function measureRoutes(
  programs: Program[],
  only = Object.keys(routes),
  width = Number(process.env.WIDTH ?? 8),
): Promise<MeasuredRoute[]> {
  const { ROUTE, ROUNDS = 7, PER_ROUND = 400, WARM_UP = 2_000 } = process.env;
  const measured: MeasuredRoute[] = [];
  for (const [name, share] of Object.entries(routes)) {
    const route = name as RouteName;
    const offers = programs.flatMap(({ name, pids, work }) => {
      const prepare = work[route];
      return prepare ? [{ name, pids, prepare }] : [];
    });
    if (offers.length < 2 || !only.includes(route) || (ROUTE !== undefined && ROUTE !== route)) continue;
    console.log(`measuring ${route}`);
    const size = (requests: number | string) => Math.ceil(Number(requests) * share);
    const options: Rounds = {
      width,
      rounds: Number(ROUNDS),
      perRound: size(PER_ROUND),
      warmUp: size(WARM_UP),
    };
    const plan = { width: options.width, count: options.warmUp + options.rounds * options.perRound };
    const contenders: Contender[] = [];
    for (const { name, pids, prepare } of offers) contenders.push({ name, pids, work: await prepare(plan) });
    const costs = await compare(contenders, options);
    measured.push({ route, costs: costs.map((cost, at) => ({ name: contenders[at]?.name ?? "", cost })) });
  }
  return measured;
}

/**
 * The rows of a table: each program's cost, and how many times as much the first one does in a second and needs of CPU.
 */
export const routeTable = (measured: MeasuredRoute[]): (string | number)[][] => [
  ["route", "program", ...costHeading, "first: × per second", "× CPU"],
  ...measured.flatMap(({ route, costs }) =>
    costs.map(({ name, cost }, at) => [
      at === 0 ? route : "",
      name,
      ...costColumns(cost),
      ...(at === 0 || !costs[0]
        ? ["", ""]
        : [round(costs[0].cost.perSecond / cost.perSecond), round(costs[0].cost.total / cost.total)]),
    ]),
  ),
];
