import { queueOtp } from "../../../testing/queued_otp.ts";
import { describe, expect } from "vitest";
import { documentBlocks } from "../../../testing/documents/document_blocks.ts";
import { test } from "../../../testing/graphql/graphql_fixtures.ts";

const [query = ""] = documentBlocks("docs/operations.md", "Delivery by hour", "graphql");

describe("platform_delivery_by_hour", () => {
  test("answers the dashboard query of the documents to the admin", async ({ database, admin }) => {
    await database.query(
      `with otp as (select o.* from ${queueOtp("'+18765550123'")} o), decided as (
         insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
         select private.new_id(), now(), '+18765', 'JM', '192.0.2.1', 'LOGIN', 'allowed', o.id from otp o
       )
       insert into platform.delivery_attempt (id, otp_id, provider, channel, outcome, started_at, duration_ms, receipt)
       select private.new_id(), o.id, 'console', 'sms', 'sent', '2026-01-31 12:34:56+00'::timestamptz - age, 250, 'delivered'
       from otp o, unnest(array[interval '0', '1 hour', '2 days']) age`,
    );
    const { data } = await admin(query, { since: "2026-01-31T11:00:00Z" });
    const row = { provider: "console", country: "JM", sent: 1, delivered: 1, verified: 0, p95_ms: 250 };
    expect(data).toEqual({
      platform_delivery_by_hour: [
        { hour: "2026-01-31T11:00:00.000000+00:00", ...row },
        { hour: "2026-01-31T12:00:00.000000+00:00", ...row },
      ],
    });
  });

  test("is no field for guests and users", async ({ guest }) => {
    const { code } = await guest("{ platform_delivery_by_hour { hour } }");
    expect(code).toBe("validation-failed");
  });
});
