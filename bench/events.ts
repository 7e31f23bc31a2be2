import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { printTable } from "./parts/figures.ts";
import { measureRoutes, routeTable } from "./parts/measure_routes.ts";
import { startMeasuredService } from "./parts/measured_service.ts";
import { ours, type Prepare, type Program, type RouteName } from "./parts/route_work.ts";

/**
 * What events cost: routes that record one or more, beside a second service whose private.record_event does nothing, in
 * turn. An event may cost 15 % of a route's CPU, and must not make commits wait for each other: so requests per second
 * have to rise with WIDTHS (1,8,32 in flight) as they do without. A third service sends all of them to a webhook, too: its
 * rounds begin when nothing waits.
 * ROUTE="guest session" measures one route; ROUNDS, PER_ROUND and WARM_UP change the size.
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

const waiting = "select from platform.event_delivery limit 1";
const failing = "select last_error from platform.event_subscription_state where last_error is not null";

const target = createServer((request, response) => request.resume().on("end", () => response.writeHead(204).end()));
const env = { TRUST_PROXY: "loopback" };
const workerEnv = {
  EVENT_HTTP_HOSTS: "127.0.0.1",
  EVENT_SECRETS: `bench:whsec_${randomBytes(32).toString("base64")}`,
};
const services = [
  await startMeasuredService(env),
  await startMeasuredService(env),
  await startMeasuredService(env, workerEnv),
] as const;
const [on, off, subscribed] = services;

/** The program with each of its routes prepared only once the events of the preparation are sent. */
function afterItsEvents(program: Program): Program {
  const work = Object.entries(program.work).map(([route, prepare]): [string, Prepare] => [
    route,
    async (plan) => {
      const prepared = await prepare(plan);
      while (((await subscribed.query(waiting)) as { rows: unknown[] }).rows.length > 0) await delay(100);
      return prepared;
    },
  ]);
  return { ...program, work: Object.fromEntries(work) };
}

try {
  await off.query(withoutEvents);
  await once(target.listen(0, "127.0.0.1"), "listening");
  await subscribed.query(
    "insert into settings.event_subscription (id, url, types, secret_name) select 'bench', $1, private.event_types(), 'bench'",
    [`http://127.0.0.1:${(target.address() as AddressInfo).port}/`],
  );
  const programs = [
    ours(on, on, "with events"),
    ours(off, off, "without"),
    afterItsEvents(ours(subscribed, subscribed, "with a subscription")),
  ];
  for (const width of WIDTHS.split(",").map(Number)) {
    console.log(`\n${width} in flight`);
    printTable(routeTable(await measureRoutes(programs, width > mostPasswords ? withoutPasswords : recorded, width)));
    const { rows } = (await subscribed.query(failing)) as { rows: { last_error: string }[] };
    if (rows[0]) throw new Error(`the webhook failed: ${rows[0].last_error}`);
  }
  for (const { close } of programs) await close();
} finally {
  for (const service of services) await service.stop();
  target.close();
}
