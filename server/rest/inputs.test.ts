import { expect, test } from "vitest";
import type { Input } from "./input.ts";
import { inputs } from "./inputs.ts";
import { key, otp, otpRequest, password, phone, refusal, refusalOfOtpRequest } from "./fixtures/input_refusal.ts";

test("every route's input becomes the arguments of its function", () => {
  const prehash = expect.stringMatching(/^00:[\w+/]{43}=$/) as string;
  const described = { password_prehash: prehash, password_length: 21, password_is_common: false };
  expect(inputs.otpRequest.parse({ input: otpRequest }, key)).toEqual({
    identifier: phone,
    identifier_type: "PHONE",
    purpose: "SIGNUP",
    country: "US",
    number_type: "FIXED_LINE_OR_MOBILE",
    autofill_origin: null,
    autofill_app_hash: null,
    channel: null,
    proof: null,
  });
  const email = { identifier: "a@b.example", identifierType: "EMAIL", purpose: "LOGIN" };
  expect(inputs.otpRequest.parse({ input: email }, key)).toMatchObject({ country: null, number_type: null });
  expect(inputs.registration.parse({ phone: " +1 212 555 0123", password, email: " A@B.example" }, key)).toEqual({
    phone,
    email: "a@b.example",
    ...described,
  });
  expect(inputs.credentials.parse({ phone, password }, key)).toEqual({
    phone,
    email: null,
    password_prehash: prehash,
    label: null,
  });
  expect(inputs.newPassword.parse({ phone, otp, newPassword: password }, key)).toEqual({
    phone,
    email: null,
    otp,
    ...described,
  });
  expect(inputs.registrationCode.parse({ phone, otp }, key)).toEqual({
    phone,
    otp,
    user_id: null,
    label: null,
  });
  expect(inputs.name.parse({ phone, proof: " a token " }, key)).toEqual({
    phone,
    email: null,
    proof: "a token",
    country: "US",
    number_type: "FIXED_LINE_OR_MOBILE",
  });
  expect(inputs.refreshToken.parse(undefined, key), "the guard has parsed it").toEqual({});
});

test.each([[undefined], [null], [""], [" \t\n"]])("an email of %j is none", (email) => {
  expect(inputs.registration.parse({ phone, password, email }, key)).toMatchObject({ email: null });
});

test("unknown fields are ignored, whatever their names", () => {
  const body = JSON.parse(`{"phone": "${phone}", "extra": 1, "__proto__": {"otp": "1"}, "client": "x"}`) as object;
  expect(inputs.name.parse(body, key)).toEqual({
    phone,
    email: null,
    proof: null,
    country: "US",
    number_type: "FIXED_LINE_OR_MOBILE",
  });
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

test("an email stands in place of the phone; without either the phone is missing, and both are refused", () => {
  const email = "Ada@example.com";
  const parsed = {
    phone: null,
    email: "ada@example.com",
    label: null,
  };
  for (const body of [{ email }, { phone: null, email }, { phone: " ", email }])
    expect(inputs.credentials.parse({ ...body, password: "a good password" }, key)).toMatchObject(parsed);
  for (const body of [{}, { phone: null }, { phone: "", email: " " }])
    expect(refusal(inputs.newPassword, { ...body, otp: "" })).toEqual({
      code: "MISSING_FIELDS",
      details: { fields: ["phone", "otp", "newPassword"] },
    });
  expect(refusal(inputs.name, { phone, email })).toEqual({
    code: "INVALID_REQUEST",
    details: { field: "email", reason: "invalid" },
  });
  expect(refusal(inputs.name, { email: "ada" })).toEqual({ code: "INVALID_IDENTIFIER", details: { field: "email" } });
  expect(inputs.loginCode.parse({ phone, email, otp: "123456" }, key)).toMatchObject({
    phone,
    email: "ada@example.com",
  });
});

test.each([[[]], ["text"], [7], [true]])("a body of %j is no object", (body) => {
  expect(refusal(inputs.name, body)).toEqual({
    code: "INVALID_REQUEST",
    details: { reason: "not_an_object" },
  });
});

test.each([[7], [true], [[phone]], [{ value: phone }]])("a phone of %j has the wrong type", (wrong) => {
  expect(refusal(inputs.name, { phone: wrong })).toEqual({
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

test("of several faults the response names the first in the documented order", () => {
  const code = (input: Input<object>, body: unknown) => refusal(input, body).code;
  expect(code(inputs.newPassword, { phone: 7, otp: "x", newPassword: "" })).toBe("MISSING_FIELDS");
  expect(code(inputs.newPassword, { phone: "x", otp: "x", newPassword: 7 })).toBe("INVALID_REQUEST");
  expect(code(inputs.newPassword, { phone: "x", otp: "x", newPassword: password })).toBe("INVALID_IDENTIFIER");
  expect(code(inputs.newPassword, { phone, otp: "x", newPassword: password })).toBe("INVALID_OTP_FORMAT");
  expect(refusalOfOtpRequest({ identifier: "x", identifierType: "FAX", purpose: "" }).code).toBe("MISSING_FIELDS");
  expect(refusalOfOtpRequest({ identifier: "x", identifierType: "FAX", purpose: "FUN" }).code).toBe("INVALID_REQUEST");
  expect(refusalOfOtpRequest({ identifier: "x", purpose: "FUN" }).code).toBe("INVALID_IDENTIFIER");
  expect(refusalOfOtpRequest({ purpose: "FUN" })).toEqual({
    code: "INVALID_PURPOSE",
    details: { field: "input.purpose" },
  });
});
