import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { printTable } from "./parts/figures.ts";
import { measureRoutes, routeTable } from "./parts/measure_routes.ts";
import { startMeasuredService } from "./parts/measured_service.ts";
import { ours, type RouteName } from "./parts/route_work.ts";

/**
 * What events cost: routes that record one or more, beside a second service whose private.record_event does nothing, in
 * turn. An event may cost 15 % of a route's CPU, and must not make commits wait for each other: so requests per second
 * have to rise with WIDTHS (1,8,32 in flight) as they do without. SUBSCRIBED=on sends all of them to a webhook, too.
 * ROUTE="guest session" measures one route; ROUNDS, PER_ROUND and WARM_UP change the size.
 */
const { WIDTHS = "1,8,32", SUBSCRIBED } = process.env;
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

const target = createServer((request, response) => request.resume().on("end", () => response.writeHead(204).end()));
const env = {
  TRUST_PROXY: "loopback",
  EVENT_HTTP_HOSTS: "127.0.0.1",
  EVENT_SECRETS: `bench:whsec_${randomBytes(32).toString("base64")}`,
};
const services = [await startMeasuredService(env), await startMeasuredService(env)] as const;
const [on, off] = services;
try {
  await off.query(withoutEvents);
  if (SUBSCRIBED === "on") {
    await once(target.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    await on.query(
      "insert into settings.event_subscription (id, url, types, secret_name) select 'bench', $1, private.event_types(), 'bench'",
      [url],
    );
  }
  const programs = [ours(on, on, "with events"), ours(off, off, "without")];
  for (const width of WIDTHS.split(",").map(Number)) {
    console.log(`\n${width} in flight`);
    printTable(routeTable(await measureRoutes(programs, width > mostPasswords ? withoutPasswords : recorded, width)));
  }
  for (const { close } of programs) await close();
} finally {
  for (const service of services) await service.stop();
  target.close();
}
