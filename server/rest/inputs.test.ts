import { expect, test } from "vitest";
import { Problem } from "../http/problem.ts";
import { inputs, type Input } from "./inputs.ts";

const key = Buffer.alloc(32, 1);
const phone = "+12125550123";
const otp = "123456";
const password = "correct horse battery";
const otpRequest = { identifier: phone, identifierType: "PHONE", purpose: "SIGNUP" };

/** The Problem that an input is refused with. */
function refusal(input: Input<object>, body: unknown): { code: string; details: unknown } {
  try {
    input.parse(body, key);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code: error.code, details: error.details };
  }
  throw new Error("it was accepted");
}

const refusalOfOtpRequest = (given: object) =>
  refusal(inputs.otpRequest, { input: { ...otpRequest, ...given } });

test("every route's input becomes the arguments of its function", () => {
  const prehash = expect.stringMatching(/^[\w+/]{43}=$/) as string;
  const described = { password_prehash: prehash, password_length: 21, password_is_common: false };
  expect(inputs.otpRequest.parse({ input: otpRequest }, key)).toEqual({
    identifier: phone,
    identifier_type: "PHONE",
    purpose: "SIGNUP",
  });
  expect(
    inputs.registration.parse({ phone: " +1 212 555 0123", password, email: " A@B.example" }, key),
  ).toEqual({
    phone,
    email: "a@b.example",
    ...described,
  });
  expect(inputs.credentials.parse({ phone, password }, key)).toEqual({ phone, password_prehash: prehash });
  expect(inputs.newPassword.parse({ phone, otp, newPassword: password }, key)).toEqual({
    phone,
    otp,
    ...described,
  });
  expect(inputs.registrationCode.parse({ phone, otp }, key)).toEqual({ phone, otp, user_id: null });
  expect(inputs.phone.parse({ phone }, key)).toEqual({ phone });
  expect(inputs.refreshToken.parse({ refresh_token: "x" }, key)).toEqual({});
});

test.each([[undefined], [null], [""], [" \t\n"]])("an email of %j is none", (email) => {
  expect(inputs.registration.parse({ phone, password, email }, key)).toMatchObject({ email: null });
});

test("unknown fields are ignored, whatever their names", () => {
  const body = JSON.parse(
    `{"phone": "${phone}", "extra": 1, "__proto__": {"otp": "1"}, "client": "x"}`,
  ) as object;
  expect(inputs.phone.parse(body, key)).toEqual({ phone });
  expect(refusal(inputs.registrationCode, body).code).toBe("MISSING_FIELDS");
});

test("every missing, null and blank field is listed, a nested one with a dot", () => {
  expect(refusal(inputs.newPassword, { phone: null, otp: " \t", newPassword: undefined })).toEqual({
    code: "MISSING_FIELDS",
    details: { fields: ["phone", "otp", "newPassword"] },
  });
  expect(refusal(inputs.otpRequest, { input: { purpose: "" } })).toEqual({
    code: "MISSING_FIELDS",
    details: { fields: ["input.identifier", "input.identifierType", "input.purpose"] },
  });
});

test.each([[undefined], [null], [{}], [{ input: null }]])("a body of %j lacks the input", (body) => {
  expect(refusal(inputs.otpRequest, body)).toEqual({
    code: "MISSING_FIELDS",
    details: { fields: ["input"] },
  });
});

test.each([[[]], ["text"], [7], [true]])("a body of %j is no object", (body) => {
  expect(refusal(inputs.phone, body)).toEqual({
    code: "INVALID_REQUEST",
    details: { reason: "not_an_object" },
  });
});

test.each([[7], [true], [[phone]], [{ value: phone }]])("a phone of %j has the wrong type", (wrong) => {
  expect(refusal(inputs.phone, { phone: wrong })).toEqual({
    code: "INVALID_REQUEST",
    details: { field: "phone", reason: "wrong_type" },
  });
});

test("a wrong type inside the input is named with a dot", () => {
  expect(refusalOfOtpRequest({ identifier: 12125550123 })).toEqual({
    code: "INVALID_REQUEST",
    details: { field: "input.identifier", reason: "wrong_type" },
  });
  expect(refusal(inputs.otpRequest, { input: "text" })).toEqual({
    code: "INVALID_REQUEST",
    details: { field: "input", reason: "wrong_type" },
  });
});

test("of several faults the answer names the first in the contract's order", () => {
  const code = (input: Input<object>, body: unknown) => refusal(input, body).code;
  expect(code(inputs.newPassword, { phone: 7, otp: "x", newPassword: "" })).toBe("MISSING_FIELDS");
  expect(code(inputs.newPassword, { phone: "x", otp: "x", newPassword: 7 })).toBe("INVALID_REQUEST");
  expect(code(inputs.newPassword, { phone: "x", otp: "x", newPassword: password })).toBe(
    "INVALID_IDENTIFIER",
  );
  expect(code(inputs.newPassword, { phone, otp: "x", newPassword: password })).toBe("INVALID_OTP_FORMAT");
  expect(refusalOfOtpRequest({ identifier: "x", identifierType: "FAX", purpose: "" }).code).toBe(
    "MISSING_FIELDS",
  );
  expect(refusalOfOtpRequest({ identifier: "x", identifierType: "FAX", purpose: "FUN" }).code).toBe(
    "INVALID_REQUEST",
  );
  expect(refusalOfOtpRequest({ identifier: "x", purpose: "FUN" }).code).toBe("INVALID_IDENTIFIER");
  expect(refusalOfOtpRequest({ purpose: "FUN" })).toEqual({
    code: "INVALID_PURPOSE",
    details: { field: "input.purpose" },
  });
});

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

test("an identifier must be of the type that it is said to be", () => {
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

test.each(["1234", "1234567890", "000000"])("%s may be a one-time password, by some setting", (given) => {
  expect(inputs.registrationCode.parse({ phone, otp: given }, key)).toEqual({
    phone,
    otp: given,
    user_id: null,
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

test("no refusal repeats what was sent", () => {
  const secret = "S3cret\ud800";
  const details = [
    refusal(inputs.credentials, { phone: secret, password: secret }),
    refusal(inputs.newPassword, { phone: secret, otp: secret, newPassword: 7 }),
    refusalOfOtpRequest({ identifier: secret, identifierType: secret, purpose: secret }),
  ];
  expect(JSON.stringify(details)).not.toContain("S3cret");
});
