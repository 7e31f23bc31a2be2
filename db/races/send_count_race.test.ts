import pg from "pg";
import { expect } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";
import { blockedConnections, raceBehindLock } from "../../testing/postgres/lock_race.ts";

const connections = 32;
const turns = 8;
const key = "decode(repeat('42', 32), 'hex')";

const test = baseTest.extend("clients", { scope: "file" }, async ({ database }, { onCleanup }) => {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: database.superuserUrl }));
  onCleanup(async () => {
    await Promise.all(clients.map((client) => client.end()));
  });
  await Promise.all(clients.map((client) => client.connect()));
  return clients;
});

test("32 connections that send and verify in parallel never deadlock, and no count is lost", async ({
  database,
  clients,
}) => {
  const countries = ["US", "KE", "DE"];
  await Promise.all(
    clients.map(async (client, lane) => {
      for (let turn = 0; turn < turns; turn++) {
        const phone = `+1212${String(1_000_000 + lane * turns + turn)}`;
        const { rows } = await client.query<{ otp_id: string }>(
          `select otp_id from api.send_otp($1, 'PHONE', 'LOGIN', $2, ${key}, $3)`,
          [phone, `192.0.2.${(lane + turn) % 40}`, countries[(lane + turn) % 3]],
        );
        if (turn % 2 === 0) await client.query("select private.consume_otp($1)", [rows[0]!.otp_id]);
        else if (turn % 4 === 1) await client.query("select private.give_back_send($1)", [rows[0]!.otp_id]);
      }
    }),
  );
  const counted = await database.query(
    `select split_part(subject, ':', 1) as subject, period, sum(sends)::integer as sends, sum(verified)::integer as verified
     from private.send_count group by 1, 2 order by 1, 2`,
  );
  // Half of the sends were verified, a quarter given back.
  const counts = { sends: (connections * turns * 3) / 4, verified: (connections * turns) / 2 };
  expect(counted).toEqual([
    { subject: "all", period: "hour", ...counts },
    { subject: "client", period: "day", ...counts },
    { subject: "client", period: "hour", ...counts },
    { subject: "country", period: "day", ...counts },
    { subject: "country", period: "hour", ...counts },
  ]);
  const byCountry = await database.query<{ country: string }>(
    `select d.country from platform.send_decision d join platform.otp_transaction o on o.id = d.otp_id
     group by d.country having count(o.counted_at) <> (select sum(c.sends) from private.send_count c
       where c.subject = 'country:' || d.country and c.period = 'day')`,
  );
  expect(byCountry).toEqual([]);
});

test("two sends to one phone at once are decided one after another: a cool-down lets one through", async ({
  database,
  clients,
}) => {
  await database.query(
    `update settings.configuration set value = '{"mode": "enforce", "seconds": 600, "exempt": []}' where key = 'FRAUD_COOL_DOWN'`,
  );
  const limit = "OTP_SEND_PER_IDENTIFIER:+12125550199";
  await database.query("insert into platform.rate_limit (key) values ($1)", [limit]);
  const send = async (client: pg.Client, lane: number) => {
    const { rows } = await client.query<{ policy: string | null }>(
      `select (error).details ->> 'policy' as policy from api.send_otp('+12125550199', 'PHONE', 'LOGIN', $1, ${key}, 'US')`,
      [`192.0.2.${lane}`],
    );
    return rows[0]!.policy;
  };
  const policies = await raceBehindLock(
    database,
    { text: "select from platform.rate_limit where key = $1 for update", values: [limit] },
    3,
    () => Promise.all(clients.slice(0, 3).map(send)),
  );
  expect(policies.sort()).toEqual(["FRAUD_COOL_DOWN", "FRAUD_COOL_DOWN", null]);
});

test("the counters of a send are locked in the order of their keys", async ({ database, clients }) => {
  const [holder, caller] = clients as [pg.Client, pg.Client];
  const decision = `jsonb_populate_record(null::platform.send_decision, '{"at": "2026-03-04T10:20:30Z", "country": "FR", "client": "lock order"}')`;
  const subjects = "subject in ('country:FR', 'client:lock order')";
  await database.query(`select private.count_send(${decision}, 1, 0)`);
  // Every shard, so that the caller inserts none.
  await database.query(
    `insert into private.send_count select subject, period, starts_at, n, 0, 0
     from private.send_count, generate_series(0, 7) n where ${subjects} on conflict do nothing`,
  );
  await holder.query("begin");
  await holder.query(
    `select from private.send_count where ${subjects} and period = 'day' and subject like 'client:%' for update`,
  );
  const called = caller.query(`select private.count_send(${decision}, 1, 0)`);
  await blockedConnections(database, 1);
  const free = await database.query(
    `select from private.send_count where ${subjects} and subject like 'country:%' for update skip locked`,
  );
  expect(free, "those after it").toHaveLength(16);
  await holder.query("rollback");
  await called;
});
