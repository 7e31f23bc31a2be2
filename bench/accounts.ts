import { bearer, type Tokens } from "../testing/rest_client.ts";
import { printTable, round } from "./parts/figures.ts";
import { createLeanClient, dataOf } from "./parts/lean_client.ts";
import { startMeasuredService } from "./parts/measured_service.ts";
import { compare, costColumns, costHeading, type Contender } from "./parts/rounds.ts";
import { insertAccounts, ours, withCodes, type RouteName } from "./parts/route_work.ts";

/**
 * The routes of an account, as ratios to a refresh of the same run. A login by code is measured without the sending of its code.
 * ROUNDS and PER_ROUND change the size.
 */
const { ROUNDS = 5, PER_ROUND = 400 } = process.env;
const options = {
  width: 8,
  rounds: Number(ROUNDS),
  perRound: Number(PER_ROUND),
  warmUp: 3 * Number(PER_ROUND),
};
const plan = { width: options.width, count: options.warmUp + options.rounds * options.perRound };

const service = await startMeasuredService({ TRUST_PROXY: "loopback" });
const { url, pids } = service;
const client = createLeanClient(url, options.width);
const program = ours(service, service);
try {
  /** Opens a session by a code, and inserts as many beside it. */
  const userWith = async (sessions: number): Promise<Tokens> => {
    const next = await withCodes(service, client, "LOGIN", insertAccounts, { count: 1, width: 1 });
    const { headers, ...body } = next();
    const tokens = dataOf(await client.post("/api/v1/auth/login/otp", body, headers));
    await service.query(
      `insert into "user".session (id, user_id, role, access_token_id, refresh_token_id, access_token_expires_at,
         refresh_token_expires_at, user_agent, client)
       select private.new_id(), s.user_id, s.role, gen_random_uuid(), gen_random_uuid(), s.access_token_expires_at,
         s.refresh_token_expires_at, 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0 Safari/537.36', '10.0.0.1'
       from "user".session s, generate_series(2, $2) where s.id = $1`,
      [tokens.session_id, sessions],
    );
    return tokens;
  };
  const list = async (sessions: number): Promise<Contender> => {
    const { access_token } = await userWith(sessions);
    const path = "/api/v1/auth/sessions";
    const work = async () => {
      const { data } = (await client.get(path, bearer(access_token))) as { data: { sessions: unknown[] } };
      if (data.sessions.length !== sessions) throw new Error(`a list of ${data.sessions.length} sessions`);
    };
    return { name: `list of ${sessions} sessions`, pids, work };
  };
  const contenders: Contender[] = [];
  for (const name of ["refresh", "guest session", "session check", "login by code"] satisfies RouteName[]) {
    const work = await program.work[name]?.(plan);
    if (work) contenders.push({ name, pids, work });
  }
  contenders.push(await list(5), await list(100));
  const costs = await compare(contenders, options);
  const refresh = costs[0]?.total ?? NaN;
  printTable([
    ["route", ...costHeading, "× a refresh's CPU"],
    ...costs.map((cost, at) => [
      contenders[at]?.name ?? "",
      ...costColumns(cost),
      round(cost.total / refresh),
    ]),
  ]);
} finally {
  await client.close();
  await program.close();
  await service.stop();
}
