import { z } from "zod";
import {
  captchaProof,
  currentPassword,
  email,
  label,
  newEmail,
  newPassword,
  newPhone,
  otp,
  password,
  passwordOrCode,
  passwordUnlessByEmail,
  passwordUnlessRecent,
  phone,
  refreshTokenBody,
  userId,
} from "./body_fields.ts";
import { challenge, challengeAnswer, factorCode, factorId, factorLabel, proof } from "./factor_fields.ts";
import { otpRequest } from "./otp_request.ts";
import { describeNumber } from "../../runtime/identifiers.ts";
import { input, named, noBody, parameterInput, type Input, type PasswordKeys } from "./input.ts";
import { withLoginName, withName } from "./name_fields.ts";
import { describeNewPassword, prehash } from "../passwords/prehash.ts";
import { factorId as factorInPath, sessionId } from "./path_parameters.ts";
import { challengeId, credential, newCredential } from "./passkey_fields.ts";
import { formType, jsonBody, signedBody } from "./read_body.ts";
import { httpReceipt, twilioReceipt, vonageReceipt } from "./receipt_fields.ts";

/** guards.refreshToken has parsed it, and compared it with the token of the header, which alone counts. */
const parsedByGuard: Input<object> = {
  body: refreshTokenBody,
  reader: jsonBody,
  errors: ["MISSING_FIELDS", "INVALID_REQUEST"],
  parse: () => ({}),
};

export const inputs = {
  nothing: noBody,
  sessionInPath: parameterInput(sessionId, (target_session_id) => ({ target_session_id })),
  refreshToken: parsedByGuard,
  otpRequest: input(
    z.object({ input: otpRequest.meta({ description: "What to send, and to whom." }) }),
    ({ input }) => input,
    ["INVALID_IDENTIFIER", "INVALID_PURPOSE"],
  ),
  registration: input(
    z.object({ phone: newPhone, password, email }),
    ({ phone, password, email }, key) => ({
      phone,
      email,
      ...describeNewPassword(key, password),
    }),
    ["INVALID_IDENTIFIER"],
  ),
  registrationCode: input(
    z.object({ phone, otp, userId, label }),
    ({ phone, otp, userId = null, label }) => ({
      phone,
      otp,
      user_id: userId,
      label,
    }),
    ["INVALID_IDENTIFIER", "INVALID_OTP_FORMAT"],
  ),
  credentials: named(withName({ password, label }), ({ phone, email, password, label }, key) => ({
    phone,
    email,
    password_prehash: prehash(key, password),
    label,
  })),
  loginCode: named(withLoginName({ otp, label }), (code) => code, ["INVALID_OTP_FORMAT"]),
  passwordChange: input(z.object({ currentPassword, newPassword }), ({ currentPassword, newPassword }, key) => ({
    current_password_prehash: prehashOrNull(key, currentPassword),
    ...describeNewPassword(key, newPassword),
  })),
  phoneChange: input(
    z.object({ newPhone, password: passwordUnlessByEmail }),
    ({ newPhone, password }, key) => ({
      new_phone: newPhone,
      password_prehash: prehashOrNull(key, password),
      ...describeNumber(newPhone),
    }),
    ["INVALID_IDENTIFIER"],
  ),
  phoneChangeCode: input(z.object({ newPhone: phone, otp }), ({ newPhone, otp }) => ({ new_phone: newPhone, otp }), [
    "INVALID_IDENTIFIER",
    "INVALID_OTP_FORMAT",
  ]),
  emailChange: input(
    z.object({ newEmail, password: passwordUnlessRecent }),
    ({ newEmail, password }, key) => ({ new_email: newEmail, password_prehash: prehashOrNull(key, password) }),
    ["INVALID_IDENTIFIER"],
  ),
  emailChangeCode: input(z.object({ newEmail, otp }), ({ newEmail, otp }) => ({ new_email: newEmail, otp }), [
    "INVALID_IDENTIFIER",
    "INVALID_OTP_FORMAT",
  ]),
  passwordUnlessRecent: input(z.object({ password: passwordUnlessRecent }), ({ password }, key) => ({
    password_prehash: prehashOrNull(key, password),
  })),
  name: named(withName({ proof: captchaProof }), ({ phone, email, proof }) => ({
    phone,
    email,
    proof,
    ...(phone === null ? { country: null, number_type: null } : describeNumber(phone)),
  })),
  newPassword: named(
    withName({ otp, newPassword }),
    ({ phone, email, otp, newPassword }, key) => ({
      phone,
      email,
      otp,
      ...describeNewPassword(key, newPassword),
    }),
    ["INVALID_OTP_FORMAT"],
  ),
  passwordOrCode: input(
    passwordOrCode,
    ({ password, otp }, key) => ({
      password_prehash: prehashOrNull(key, password),
      otp: otp ?? null,
    }),
    ["INVALID_OTP_FORMAT"],
  ),
  factorLabel: input(z.object({ label: factorLabel }), ({ label }) => ({ label })),
  factorCode: input(z.object({ factor_id: factorId, code: factorCode }), (body) => body, ["INVALID_OTP_FORMAT"]),
  proof: input(
    proof,
    ({ password, otp, code, challenge_id, credential }, key) => ({
      password_prehash: password == null ? null : prehash(key, password),
      otp,
      code,
      ...(credential && { challenge_id: challenge_id ?? null, ...credential }),
    }),
    ["INVALID_OTP_FORMAT"],
  ),
  challengeAnswer: input(challengeAnswer, ({ credential, ...answer }) => ({ ...answer, ...credential }), [
    "INVALID_OTP_FORMAT",
  ]),
  challenge: input(challenge, (body) => body),
  newPasskey: input(
    z.object({ challenge_id: challengeId, credential: newCredential, label: factorLabel }),
    ({ challenge_id, credential: { response }, label }) => ({ challenge_id, transports: response.transports, label }),
  ),
  passkeyLogin: input(z.object({ challenge_id: challengeId, credential, label }), ({ credential, ...body }) => ({
    ...body,
    ...credential,
  })),
  factorInPath: parameterInput(factorInPath, (factor_id) => ({ factor_id })),
  twilioReceipt: input(
    twilioReceipt,
    ({ MessageSid, MessageStatus, CallSid, CallStatus, ErrorCode }) => ({
      vendor_message_id: MessageSid ?? CallSid,
      status: MessageStatus ?? CallStatus,
      error_code: ErrorCode,
      price: null,
      currency: null,
    }),
    [],
    signedBody(formType),
  ),
  vonageReceipt: input(
    vonageReceipt,
    ({ "client-ref": reference, messageId, status, "err-code": error_code, price }) => ({
      reference,
      vendor_message_id: messageId,
      status,
      error_code,
      price,
      currency: price === null ? null : "EUR",
    }),
    [],
    signedBody("application/json", formType),
  ),
  httpReceipt: input(
    httpReceipt,
    ({ id, status, error = null }) => ({
      reference: id,
      vendor_message_id: null,
      status,
      error_code: error,
      price: null,
      currency: null,
    }),
    [],
    signedBody("application/json"),
  ),
};

function prehashOrNull(key: PasswordKeys, password: string | null | undefined): string | null {
  return password == null ? null : prehash(key, password);
}
