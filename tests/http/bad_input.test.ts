import { expect } from "vitest";
import { clearRateLimits, goodPassword, newPhone } from "../../testing/service/people.ts";
import { test } from "../../testing/fixtures.ts";

const phone = newPhone();
test.for<[string, string, object, string]>([
  ["null bytes in a phone", "/auth/login", { phone: "+1212555\u00000100", password: "x" }, "INVALID_IDENTIFIER"],
  ["null bytes in a code", "/auth/register/verify", { phone, otp: "12345\u0000" }, "INVALID_OTP_FORMAT"],
  [
    "null bytes in an email",
    "/auth/register",
    { phone, password: goodPassword, email: "a\u0000@b.co" },
    "INVALID_IDENTIFIER",
  ],
  ["numbers that are no digits in a code", "/auth/register/verify", { phone, otp: "①②③④⑤⑥" }, "INVALID_OTP_FORMAT"],
  ["a number for a phone", "/auth/login", { phone: 12125550100, password: "x" }, "INVALID_REQUEST"],
  ["an object for a password", "/auth/login", { phone, password: { $ne: null } }, "INVALID_REQUEST"],
  ["half a surrogate in a password", "/auth/register", { phone, password: "abcdefgh\ud800" }, "INVALID_REQUEST"],
  ["a text for the input", "/otp/send", { input: "x" }, "INVALID_REQUEST"],
  [
    "an unknown identifierType",
    "/otp/send",
    { input: { identifier: phone, identifierType: "PIGEON", purpose: "LOGIN" } },
    "INVALID_REQUEST",
  ],
  ["blanks for a password", "/auth/login", { phone, password: "  " }, "MISSING_FIELDS"],
  ["null for a phone", "/auth/reset-password", { phone: null }, "MISSING_FIELDS"],
  ["an email of the wrong type", "/auth/register", { phone, password: goodPassword, email: 7 }, "INVALID_REQUEST"],
])("%s", async ([_what, path, body, code], { client }) => {
  expect(await client.post(path, body)).toMatchObject({ status: 400, code });
});

test("unknown fields are ignored", async ({ client }) => {
  expect(
    (await client.post("/auth/reset-password", { phone: newPhone(), __proto__: 1, extra: { deep: [] } })).status,
  ).toBe(200);
});

test.for([
  "+1 212 555 0142",
  "+1 (212) 555-0142",
  "+1.212.555.0142",
  " +12125550142 ",
  "+1-212-555-0142",
  "+1 212-555.0142",
  "+1\u00a0212\u00a0555\u00a00142",
  "+1/212/555/0142",
  "+１２１２５５５０１４２",
  "\t+1 2125550142\n",
])("a phone written as %j is the same phone", async (identifier, { service, client, gateway }) => {
  await clearRateLimits(service, "+12125550142");
  const [answer, sms] = await Promise.all([client.sendOtp(identifier, "LOGIN"), gateway.next()]);
  expect(answer.status).toBe(200);
  expect(sms.to).toBe("+12125550142");
});

test.for([
  ["short", "password", "too_short"],
  ["x".repeat(257), "password", "too_long"],
  ["Password123", "password", "too_common"],
])(
  "%# a password is against the rules: too short, too long, too common",
  async ([password, field, reason], { client }) => {
    const answer = await client.post("/auth/register", { phone, password });
    expect(answer).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
    expect(answer.body.error?.details).toMatchObject({ field, reason });
  },
);
