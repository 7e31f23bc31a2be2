import { bearer, type Tokens } from "../testing/rest_client.ts";
import { round, runConcurrently } from "./figures.ts";
import { createLeanClient } from "./lean_client.ts";
import { startMeasuredService } from "./measured_service.ts";
import { compareCosts, formatCost } from "./side_by_side.ts";

/**
 * npm run bench:accounts: what the routes of an account cost, as ratios to a refresh of the same run. A login by code is measured without
 * the sending of its code (npm run bench:sends). A guest session is a login without a rule, and so its floor. Refreshes, guests and
 * logins by code share transactions; on a second server each runs in its own. Compare ratios: the machine is noisy.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const perRound = Number(process.env.PER_ROUND ?? 400);
const width = 8;
const warmUp = 2_000;

const service = await startMeasuredService({ TRUST_PROXY: "loopback" });
const lean = createLeanClient(service.url, width);
const alone = await service.startServer({ TRUST_PROXY: "loopback", OPTIMIZATIONS_OFF: "batch" });
const leanAlone = createLeanClient(alone.url, width);
const dataOf = (answer: unknown) => (answer as { data: Tokens }).data;
const phoneOf = (index: number) => `+1212${String(2_000_000 + index)}`;
/** A new client for each request, because the limits of one address are not measured here. */
let clients = 0;
const fromAnybody = () => {
  const client = clients++;
  return { "x-forwarded-for": `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}` };
};

/** Logs in by a code that was sent beforehand. */
const signIn = async (client: typeof lean, phone: string, code: string) =>
  dataOf(await client.post("/api/v1/auth/login/otp", { phone, otp: code }, fromAnybody()));

try {
  const logins = rounds * perRound + warmUp;
  const people = 2 * logins + 2;
  await service.query(
    `insert into "user".account (id, phone, phone_verified_at)
     select private.new_id(), '+1212' || 2000000 + number, now() from generate_series(0, $1 - 1) number`,
    [people],
  );
  await runConcurrently(people, 32, (index) => {
    const input = { identifier: phoneOf(index), identifierType: "PHONE", purpose: "LOGIN" };
    return lean.post("/api/v1/otp/send", { input }, fromAnybody());
  });
  const codes = service.gateway.received.map(({ to, body }) => ({
    phone: to,
    code: body.split(" ", 1)[0] ?? "",
  }));
  console.log(`${codes.length} codes were sent beforehand`);
  const nextLogin = (client: typeof lean) => {
    const { phone = "", code = "" } = codes.pop() ?? {};
    return signIn(client, phone, code);
  };

  const [few, many] = [await nextLogin(lean), await nextLogin(lean)];
  const usersOf = { few: few.session_id, many: many.session_id };
  for (const [name, count] of [
    ["few", 4],
    ["many", 99],
  ] as const)
    await service.query(
      `insert into "user".session (id, user_id, role, access_token_id, refresh_token_id, access_token_expires_at, refresh_token_expires_at, user_agent, client)
       select private.new_id(), s.user_id, s.role, gen_random_uuid(), gen_random_uuid(), s.access_token_expires_at, s.refresh_token_expires_at,
         'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36', '10.0.0.1'
       from "user".session s, generate_series(1, $2) where s.id = $1`,
      [usersOf[name], count],
    );

  const openGuest = async (client: typeof lean) =>
    dataOf(await client.post("/api/v1/auth/session/guest", undefined, fromAnybody()));
  const refreshesOf = async (client: typeof lean) => {
    const open = await Promise.all(Array.from({ length: width }, () => openGuest(client)));
    return async () => {
      const { refresh_token = "" } = open.shift() ?? {};
      open.push(
        dataOf(await client.post("/api/v1/auth/session/refresh", { refresh_token }, bearer(refresh_token))),
      );
    };
  };
  const reads =
    (path: string, { access_token }: Tokens) =>
    () =>
      lean.get(path, bearer(access_token));
  const candidates = [
    { name: "refresh", work: await refreshesOf(lean) },
    { name: "refresh, not shared", work: await refreshesOf(leanAlone), serverPid: alone.pid },
    { name: "guest session", work: () => openGuest(lean) },
    { name: "guest, not shared", work: () => openGuest(leanAlone), serverPid: alone.pid },
    { name: "login by code", work: () => nextLogin(lean) },
    { name: "login, not shared", work: () => nextLogin(leanAlone), serverPid: alone.pid },
    { name: "who am I", work: reads("/api/v1/auth/session", few) },
    { name: "list, 5 sessions", work: reads("/api/v1/auth/sessions", few) },
    { name: "list, 100 sessions", work: reads("/api/v1/auth/sessions", many) },
  ];
  const costs = await compareCosts(
    candidates.map((candidate) => ({ serverPid: service.serverPid, ...candidate })),
    { postgresPid: service.postgresPid, width, rounds, perRound, warmUp },
  );
  const floor = costs[0]?.total ?? 0;
  for (const [index, cost] of costs.entries())
    console.log(
      `${candidates[index]?.name.padEnd(21) ?? ""}${formatCost(cost)}: ${round(cost.total / floor)} × a refresh`,
    );
} finally {
  await lean.close();
  await leanAlone.close();
  await service.stop();
}
