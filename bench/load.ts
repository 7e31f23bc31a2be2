import { printTable } from "./parts/figures.ts";
import { measureRoutes, routeTable } from "./parts/measure_routes.ts";
import { startMeasuredService } from "./parts/measured_service.ts";
import { floors } from "./parts/floor_work.ts";
import { ours } from "./parts/route_work.ts";
import { relyingParty } from "../testing/service/software_authenticator.ts";

/**
 * The routes beside a floor that has none of their rules: one row that Express selects or inserts, or bcrypt alone.
 * With OPTIMIZATIONS_OFF=batch (or another, or several by commas) also beside a server without that optimization, on
 * the same database. ROUTE="guest session" measures one route; ROUNDS, PER_ROUND, WARM_UP and WIDTH change the size.
 */
const { OPTIMIZATIONS_OFF } = process.env;
/** GraphQL's one caller sends more than a client may. */
const env = {
  TRUST_PROXY: "loopback",
  GRAPHQL_BUDGET_MS: "1000",
  WEBAUTHN_RP_ID: relyingParty.rpId,
  WEBAUTHN_ORIGINS: relyingParty.origin,
};
const service = await startMeasuredService(env);
try {
  const programs = [ours(service, service), floors(await service.startFloor())];
  if (OPTIMIZATIONS_OFF !== undefined) {
    const without = await service.startServer({ ...env, OPTIMIZATIONS_OFF });
    programs.splice(1, 0, ours(service, without, `without ${OPTIMIZATIONS_OFF}`));
  }
  printTable(routeTable(await measureRoutes(programs)));
  for (const { close } of programs) await close();
} finally {
  await service.stop();
}
