import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, tokensOf } from "../../testing/client.ts";
import { eventually } from "../../testing/eventually.ts";
import { askGraphql, type Ask } from "../../testing/graphql.ts";
import { startService, type Service } from "../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: false });
});
afterAll(() => service.stop());

const guest = async () =>
  askGraphql(service.url, bearer(tokensOf(await service.client.post("/auth/session/guest")).access_token));
const waiting = async () => {
  const rows = await service.database.query(
    "select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql' and wait_event_type = 'Lock'",
  );
  return rows.length;
};

test("of the slow reads of one caller one runs at a time, and others' begin beside it", async () => {
  const [one, other] = [await guest(), await guest()];
  const holder = new pg.Client({ connectionString: service.database.superuserUrl });
  await holder.connect();
  await holder.query(`begin; lock table "user".account`);
  // New documents, which read alone.
  const read = (ask: Ask, name: string) => ask(`{ ${name}: user_account { phone } }`);
  const reads = ["a", "b", "c", "d", "e"].map((name) => read(one, name));
  await eventually("a read waits", async () => (await waiting()) > 0);
  reads.push(read(other, "f"));
  await eventually("another caller's read waits beside it", async () => (await waiting()) === 2);
  for (let turn = 0; turn < 5; turn++) {
    await service.client.get("/health");
    expect(await waiting()).toBeLessThanOrEqual(2);
  }
  await holder.end();
  await Promise.all(reads);
});
