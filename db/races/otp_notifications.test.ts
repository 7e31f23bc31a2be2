import { queueOtp } from "../../testing/queued_otp.ts";
import { expect } from "vitest";
import { test } from "../fixtures/database_fixtures.ts";

// PostgreSQL delivers notifications after the commit, so pgTAP cannot see them. A request that misses its own still
// finds the result when its time is over: a flow would only be slower.
test("a delivery notifies the request that waits for it, and nobody else", async ({ connection }) => {
  const received: string[] = [];
  connection.on("notification", ({ payload = "" }) => received.push(payload));
  const queued = (purpose: string, awaited: boolean) =>
    queueOtp("'+12025550101'", { purpose, awaited: String(awaited) });
  await connection.query(
    `listen otp_delivery; select ${queued("LOGIN", true)}, ${queued("SIGNUP", true)}, ${queued("PASSWORD_RESET", false)};
     update platform.otp_transaction set delivery = 'cancelled' where purpose = 'SIGNUP'`,
  );
  await connection.query("select private.settle_delivery(o, 'sent') from platform.otp_transaction o");
  // A connection receives its own notifications before the answer to its next statement.
  const { rows } = await connection.query<{ id: string }>(
    "select private.notification_digest(id) as id from platform.otp_transaction where purpose = 'LOGIN'",
  );
  expect(received).toEqual(rows.map(({ id }) => id));
});
