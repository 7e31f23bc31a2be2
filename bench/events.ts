import { printTable } from "./parts/figures.ts";
import { measureRoutes, routeTable } from "./parts/measure_routes.ts";
import { startMeasuredService } from "./parts/measured_service.ts";
import { ours, type RouteName } from "./parts/route_work.ts";

/**
 * What events cost: routes that record one or more, beside a second service whose private.record_event does nothing, in
 * turn. An event may cost 15 % of a route's CPU, and must not make commits wait for each other: so requests per second
 * have to rise with WIDTHS (1,8,32 in flight) as they do without. ROUTE="guest session" measures one route; ROUNDS,
 * PER_ROUND and WARM_UP change the size.
 */
const { WIDTHS = "1,8,32" } = process.env;
const recorded: RouteName[] = [
  "guest session",
  "logout",
  "verify a registration",
  "login by code",
  "wrong code",
  "OTP send",
  "login",
];
/** Beyond it the queue of passwords refuses some: 503. */
const mostPasswords = 8;
const withoutPasswords = recorded.filter((route) => route !== "login");
const withoutEvents = `create or replace function private.record_event(
    type text, user_id uuid, session_id uuid default null, data jsonb default '{}', client text default null
  ) returns void language plpgsql volatile set search_path = pg_catalog, pg_temp as $$ begin end $$`;

const env = { TRUST_PROXY: "loopback" };
const services = [await startMeasuredService(env), await startMeasuredService(env)] as const;
const [on, off] = services;
try {
  await off.query(withoutEvents);
  const programs = [ours(on, on, "with events"), ours(off, off, "without")];
  for (const width of WIDTHS.split(",").map(Number)) {
    console.log(`\n${width} in flight`);
    printTable(routeTable(await measureRoutes(programs, width > mostPasswords ? withoutPasswords : recorded, width)));
  }
  for (const { close } of programs) await close();
} finally {
  for (const service of services) await service.stop();
}
