import { writeFileSync } from "node:fs";
import { printTable } from "./parts/figures.ts";
import { measureRoutes, routeTable } from "./parts/measure_routes.ts";
import { startMeasuredService } from "./parts/measured_service.ts";
import { floors } from "./parts/floor_work.ts";
import { ours } from "./parts/route_work.ts";
import { drawChart } from "./peers/chart.ts";
import { startBetterAuth, startParseServer } from "./peers/peer_programs.ts";

/**
 * The routes beside better-auth, parse-server and the floors, on one PostgreSQL, round by round. Install them first:
 * npm ci --ignore-scripts --prefix bench/peers. SVG=docs/pictures/peers.svg draws the result. ROUTE="guest session" measures one
 * route; ROUNDS, PER_ROUND, WARM_UP and WIDTH change the size.
 */
const { SVG } = process.env;
const service = await startMeasuredService({ TRUST_PROXY: "loopback", GRAPHQL_BUDGET_MS: "1000" });
try {
  const peers = [await startBetterAuth(service), await startParseServer(service)];
  const programs = [ours(service, service), ...peers, floors(await service.startFloor())];
  const measured = await measureRoutes(programs);
  printTable(routeTable(measured));
  if (SVG !== undefined) writeFileSync(SVG, drawChart(measured));
  for (const { close } of programs) await close();
} finally {
  await service.stop();
}
