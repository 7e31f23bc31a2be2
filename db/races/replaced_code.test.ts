import { expect } from "vitest";
import { blockedConnections } from "../../testing/postgres/lock_race.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { test } from "../fixtures/database_fixtures.ts";

const client = "192.0.2.1";
const codeKey = `decode(repeat('42', 32), 'hex')`;

const deliver = (database: TestDatabase, code: string) =>
  database.query(
    `insert into platform.otp_transaction
       (id, identifier, identifier_type, purpose, awaited, delivery, expires_at, current_since, code_hash)
     select i, '+12025550102', 'PHONE', 'LOGIN', true, 'sent', now() + interval '5 minutes', clock_timestamp(),
       private.hash_code(i, $1, ${codeKey})
     from gen_random_uuid() i`,
    [code],
  );

test.for<[string, string, string | null]>([
  ["the replaced code is refused", "111111", "INVALID_OTP"],
  ["the new code is accepted", "222222", null],
])(
  "a code is delivered while a check waits for its client's limit: %s",
  async ([, code, error], { database, connect }) => {
    await database.query(
      `delete from platform.otp_transaction; delete from private.guess_count; delete from platform.rate_limit;
     insert into platform.rate_limit (key) values ('OTP_VERIFY_PER_IP:${client}')`,
    );
    await deliver(database, "111111");
    const [holder, guesser] = [await connect(), await connect()];
    await holder.query("begin");
    await holder.query("select from platform.rate_limit for update");
    const checked = guesser.query<{ code: string | null }>(
      `select (private.check_otp(row('PHONE', '+12025550102', 'LOGIN', '${client}', $1, ${codeKey}, null)::private.code_attempt)).error.code`,
      [code],
    );
    await blockedConnections(database, 1);
    await deliver(database, "222222");
    await holder.query("commit");
    expect((await checked).rows).toEqual([{ code: error }]);
  },
);
