import { bearer } from "../testing/service/rest_client.ts";
import { printTable, round } from "./parts/figures.ts";
import { createLeanClient, dataOf } from "./parts/lean_client.ts";
import { startMeasuredService } from "./parts/measured_service.ts";
import { compare, costColumns, costHeading, type Contender } from "./parts/rounds.ts";

/**
 * A row by its key over GraphQL, as a user: of our own table of sessions, of a table of the application, and of one
 * whose policy asks for a live session. ROUNDS, PER_ROUND, WARM_UP and WIDTH change the size.
 */
const { ROUNDS = 7, PER_ROUND = 400, WARM_UP = 2_000, WIDTH = 8 } = process.env;
const tables = ["note", "live_note"] as const;
const service = await startMeasuredService({ TRUST_PROXY: "loopback", GRAPHQL_BUDGET_MS: "1000" });
try {
  for (const table of tables)
    await service.query(`
      create table public.${table} (id uuid primary key default gen_random_uuid(), user_id uuid not null, text text not null);
      create index on public.${table} (user_id);
      alter table public.${table} enable row level security;
      create policy "a user has its own" on public.${table} to latchkey_user using (user_id = (select latchkey.user_id()));
      grant select on public.${table} to latchkey_user`);
  await service.query(
    `create policy "only while the session lives" on public.live_note as restrictive using ((select latchkey.is_live()))`,
  );
  const { url, pids } = await service.startServer({
    TRUST_PROXY: "loopback",
    GRAPHQL_BUDGET_MS: "1000",
    GRAPHQL_SCHEMAS: "public",
  });
  const client = createLeanClient(url, 64);
  const phone = "+12125550123";
  const sent = { input: { identifier: phone, identifierType: "PHONE", purpose: "LOGIN" } };
  await client.post("/api/v1/otp/send", sent);
  const [otp = ""] = service.gateway.received.at(-1)?.body.split(" ", 1) ?? [];
  const { access_token, session_id } = dataOf(await client.post("/api/v1/auth/login/otp", { phone, otp }));
  const rows = await service.query(
    `with note as (insert into public.note (user_id, text) select user_id, 'text' from "user".session where id = $1 returning *),
       live as (insert into public.live_note select * from note)
     select id from note`,
    [session_id],
  );
  const id = (rows as { rows: { id: string }[] }).rows[0]?.id ?? "";

  const byKey = (field: string, key: string): Contender => {
    const body = { query: `query ($id: uuid!) { ${field}_by_pk(id: $id) { id } }`, variables: { id: key } };
    return {
      name: field,
      pids,
      work: async () => {
        const answer = JSON.stringify(await client.post("/v1/graphql", body, bearer(access_token)));
        if (!answer.includes(`"id":"${key}"`)) throw new Error(answer);
      },
    };
  };
  const contenders = [byKey("user_session", session_id), ...tables.map((table) => byKey(table, id))];
  const costs = await compare(contenders, {
    width: Number(WIDTH),
    rounds: Number(ROUNDS),
    perRound: Number(PER_ROUND),
    warmUp: Number(WARM_UP),
  });
  const [ours, own] = costs;
  printTable([
    ["row by key of", ...costHeading, "CPU: × user_session", "× note"],
    ...costs.map((cost, at) => [
      contenders[at]?.name ?? "",
      ...costColumns(cost),
      round(cost.total / (ours?.total ?? NaN), 2),
      round(cost.total / (own?.total ?? NaN), 2),
    ]),
  ]);
  await client.close();
} finally {
  await service.stop();
}
