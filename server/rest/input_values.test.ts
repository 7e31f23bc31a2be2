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
    inputs.otpRequest.parse(
      { input: { ...otpRequest, identifier: "A@b.example", identifierType: "EMAIL" } },
      key,
    ),
  ).toMatchObject({ identifier: "a@b.example", identifier_type: "EMAIL" });
});

test.each([
  ...["12345x", " 123456", "123456\n", "-12345", "1234.6", "123", "12345678901"],
  ...["١٢٣٤٥٦", "１２３４５６", "123456\u0000"],
])("the one-time password %j is not a number of ASCII digits", (wrong) => {
  expect(refusal(inputs.registrationCode, { phone, otp: wrong })).toEqual({
    code: "INVALID_OTP_FORMAT",
    details: { field: "otp" },
  });
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
    expect(refusal(inputs.phone, { phone: wrong }).code).toBe("INVALID_IDENTIFIER");
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
