import { expect, test } from "vitest";
import { inputs } from "./inputs.ts";
import { key, otpRequest, password, phone, refusal, refusalOfOtpRequest } from "./fixtures/input_refusal.ts";

test.each(["FAX", "phone", "Email", "constructor", "__proto__", "hasOwnProperty", "PHONE "])(
  "the identifierType %s is unknown",
  (identifierType) => {
    expect(refusalOfOtpRequest({ identifierType })).toEqual({
      code: "INVALID_REQUEST",
      details: { field: "input.identifierType", reason: "invalid" },
    });
  },
);

test.each(["signup", "constructor", "SIGNUP ", "LOGIN,SIGNUP"])("the purpose %s is unknown", (purpose) => {
  expect(refusalOfOtpRequest({ purpose }).code).toBe("INVALID_PURPOSE");
});

test("an identifier must be valid for its identifierType", () => {
  expect(refusalOfOtpRequest({ identifierType: "EMAIL" })).toEqual({
    code: "INVALID_IDENTIFIER",
    details: { field: "input.identifier" },
  });
  expect(refusalOfOtpRequest({ identifier: "a@b.example" }).code).toBe("INVALID_IDENTIFIER");
  expect(
    inputs.otpRequest.parse({ input: { ...otpRequest, identifier: "A@b.example", identifierType: "EMAIL" } }, key),
  ).toMatchObject({ identifier: "a@b.example", identifier_type: "EMAIL" });
});

test.each([
  "12345x",
  "1234.6",
  "123",
  "1 2 3",
  "12345678901",
  "123456\u0000",
  "\u200b",
  "½23456",
  `${" ".repeat(250)}123456`,
])("the one-time password %j is not one", (wrong) => {
  expect(refusal(inputs.registrationCode, { phone, otp: wrong })).toEqual({
    code: "INVALID_OTP_FORMAT",
    details: { field: "otp" },
  });
});

test.each([" 123 456\n", "123-456", "\u2068123456\u2069", "١٢٣٤٥٦", "１２３４５６"])(
  "the one-time password %j is read as people type it, by every route with one",
  (typed) => {
    for (const [input, body] of [
      [inputs.registrationCode, { phone }],
      [inputs.loginCode, { phone }],
      [inputs.phoneChangeCode, { newPhone: phone }],
      [inputs.newPassword, { phone, newPassword: password }],
      [inputs.passwordOrCode, {}],
    ] as const)
      expect(input.parse({ ...body, otp: typed }, key)).toMatchObject({ otp: "123456" });
  },
);

test.each(["channels", "chanel", "toString", "client"])("a field %s of the input is refused", (name) => {
  const input = JSON.parse(JSON.stringify(otpRequest).replace("{", `{"${name}":"voice",`)) as object;
  expect(refusal(inputs.otpRequest, { input })).toEqual({
    code: "INVALID_REQUEST",
    details: { field: `input.${name}`, reason: "invalid" },
  });
});

test("an unknown field of the input's autofill is refused, and any beside the input is ignored", () => {
  const autofill = { origin: "https://app.example.com", host: "x" };
  expect(refusalOfOtpRequest({ autofill })).toEqual({
    code: "INVALID_REQUEST",
    details: { field: "input.autofill.host", reason: "invalid" },
  });
  expect(inputs.otpRequest.parse({ input: otpRequest, channel: "voice" }, key)).toMatchObject({
    identifier: phone,
  });
});

test.each(["fax", "SMS", "", 5, ["sms"]])("a channel of %j is refused", (channel) => {
  expect(refusal(inputs.otpRequest, { input: { ...otpRequest, channel } })).toMatchObject({
    code: "INVALID_REQUEST",
    details: { field: "input.channel" },
  });
});

test("a channel of null is as if it were left out", () => {
  const parse = (input: object) => inputs.otpRequest.parse({ input }, key);
  expect(parse({ ...otpRequest, channel: null })).toEqual(parse(otpRequest));
});

test.each(["1234", "1234567890", "000000"])("%s may be a one-time password, by some setting", (otp) => {
  expect(inputs.registrationCode.parse({ phone, otp }, key)).toEqual({
    phone,
    otp,
    user_id: null,
    label: null,
  });
});

test.each([`${phone}\u0000`, `\u0000${phone}`, "+1212555\u00000123", "\ud800+12125550123"])(
  "the phone %j, which PostgreSQL could not store, is refused",
  (wrong) => {
    expect(refusal(inputs.name, { phone: wrong }).code).toBe("INVALID_IDENTIFIER");
  },
);

test("an email that PostgreSQL could not store is refused", () => {
  for (const email of ["a\u0000@b.example", "\ud800@b.example"]) {
    expect(refusal(inputs.registration, { phone, password, email })).toEqual({
      code: "INVALID_IDENTIFIER",
      details: { field: "email" },
    });
  }
});

test("a password with a lone surrogate, which has no UTF-8, is refused", () => {
  expect(refusal(inputs.credentials, { phone, password: "secret \ud800" })).toEqual({
    code: "INVALID_REQUEST",
    details: { field: "password", reason: "invalid" },
  });
});

test("a password may hold any character and keeps its blanks", () => {
  const { password_prehash: one } = inputs.credentials.parse({ phone, password: " \u0000🔑 " }, key);
  const { password_prehash: other } = inputs.credentials.parse({ phone, password: "\u0000🔑" }, key);
  expect(one).not.toBe(other);
});

test("no refusal repeats the request's values", () => {
  const secret = "S3cret\ud800";
  const details = [
    refusal(inputs.credentials, { phone: secret, password: secret }),
    refusal(inputs.newPassword, { phone: secret, otp: secret, newPassword: 7 }),
    refusalOfOtpRequest({ identifier: secret, identifierType: secret, purpose: secret }),
  ];
  expect(JSON.stringify(details)).not.toContain("S3cret");
});
