import { expect } from "vitest";
import { test } from "../../../testing/graphql/graphql_fixtures.ts";
import { newPhone } from "../../../testing/service/people.ts";

test("functions that read are queries of the admin, with their arguments", async ({ admin, client }) => {
  const phone = newPhone();
  await client.sendOtp(phone);
  const { data } = await admin(
    `query ($phone: String!, $since: timestamptz!) {
      explain_delivery(phone: $phone, since: $since) { what }
      limits_of(subject: $phone) { policy counted requests blocked_until }
    }`,
    { phone, since: "1970-01-01T00:00:00Z" },
  );
  expect(data?.explain_delivery).toContainEqual({ what: "A code was requested for SIGNUP." });
  // No worker runs: the request was answered with an error, and its send was given back.
  expect(data?.limits_of).toEqual([]);
});

test("a list of rows has no limit argument, and aliases ask for two subjects at once", async ({ admin }) => {
  const { data } = await admin(`{
    one: preview_message(template: "{{code}}") { message segments fault }
    two: preview_message(template: "€") { encoding fault }
  }`);
  expect(data).toEqual({
    one: [{ message: "000000", segments: 1, fault: null }],
    two: [{ encoding: "GSM-7", fault: "The text must be a text that holds {{code}}" }],
  });
});

test("the answer shows the sentence of our own refusals only", async ({ admin }) => {
  const replay = (settings: object) =>
    admin(
      `query ($settings: jsonb!) { what_if(settings: $settings, from_at: "2026-01-01", to_at: "2026-01-02") { rule } }`,
      { settings },
    );
  const wrong = await replay({ FRAUD_COUNTRY: { mode: "perhaps" } });
  expect([wrong.code, wrong.message]).toEqual(["constraint-violation", expect.stringContaining("FRAUD_COUNTRY")]);
  const sent = await admin(
    `mutation { send_test_message(phone: "+12125550123", language: "${"x".repeat(200)}") { id } }`,
  );
  expect([sent.code, sent.message]).toEqual([
    "constraint-violation",
    "The language must be a tag such as de or pt-BR.",
  ]);
});

test("settings show their bounds, and the counters are one row", async ({ admin }) => {
  const { data } = await admin(`{
    settings_setting(where: { key: { _eq: "OTP_LENGTH" } }) { value default_value minimum maximum kind }
    platform_live_counters { waiting workers }
  }`);
  expect(data?.settings_setting).toEqual([
    { value: 6, default_value: 6, minimum: "4", maximum: "10", kind: "integer" },
  ]);
  expect(data?.platform_live_counters).toHaveLength(1);
});

test("guests and users have none of them", async ({ guest }) => {
  for (const field of [
    `limits_of(subject: "x") { policy }`,
    `explain_delivery(phone: "x", since: "2026-01-01") { what }`,
    `explain_refusal(request_id: "x") { what }`,
    `preview_message(template: "x") { message }`,
    `settings_setting { key }`,
    `platform_live_counters { sent }`,
  ])
    expect((await guest(`{ ${field} }`)).code, field).toBe("validation-failed");
  for (const field of [`clear_limits(subject: "x") { key }`, `send_test_message(phone: "x") { id }`])
    expect((await guest(`mutation { ${field} }`)).code, field).toBe("validation-failed");
});
