import { api } from "../database/api_functions.ts";
import { accountExport, deletion, phoneChange, registration, requestedReset, sentOtp } from "./answers/accounts.ts";
import { confirmedFactor, factorList, newTotp, recoveryCodes } from "./answers/factors.ts";
import { login, loginByCode, newSession, verifiedRegistration } from "./answers/opened_sessions.ts";
import { onlyMeta, takenReceipt } from "./answers/presenter.ts";
import { passkeyCreation, passkeyRequest } from "./answers/passkeys.ts";
import { callerOf, revokedCount, sessionsOfUser } from "./answers/sessions.ts";
import { awaitDelivery } from "./await_delivery.ts";
import { guards } from "./guards.ts";
import { inputs } from "./inputs.ts";
import { route } from "./handle.ts";
import { receiptGuards } from "./receipt_guards.ts";

const { anyone, accessToken, refreshToken, userToken, guestTokenOrNone } = guards;
const { twilio, vonage, http } = receiptGuards;

/**
 * Maps each URL (below /api/v1) to the SQL function that answers it. What calls no such function, or not by REST, is in
 * app.ts.
 */
// prettier-ignore
export const routes = [
  route({ method: "POST",   path: "/auth/session/guest",          calls: api.create_guest_session,   guard: anyone,           input: inputs.nothing,          status: 200, presenter: newSession,           message: "Guest session created." }),
  route({ method: "POST",   path: "/auth/session/refresh",        calls: api.refresh_session,        guard: refreshToken,     input: inputs.refreshToken,     status: 200, presenter: newSession,           message: "Session refreshed." }),
  route({ method: "POST",   path: "/auth/session/step-up",        calls: api.step_up,                guard: userToken,        input: inputs.proof,            status: 200, presenter: newSession,           message: "Session stepped up." }),
  route({ method: "POST",   path: "/auth/logout",                 calls: api.log_out,                guard: accessToken,      input: inputs.nothing,          status: 200, presenter: onlyMeta,             message: "Logged out." }),
  route({ method: "GET",    path: "/auth/session",                calls: api.describe_caller,        guard: accessToken,      input: inputs.nothing,          status: 200, presenter: callerOf,             message: "The session of this request." }),
  route({ method: "GET",    path: "/auth/sessions",               calls: api.list_sessions,          guard: userToken,        input: inputs.nothing,          status: 200, presenter: sessionsOfUser,       message: "Live sessions." }),
  route({ method: "POST",   path: "/auth/sessions/revoke-others", calls: api.revoke_other_sessions,  guard: userToken,        input: inputs.nothing,          status: 200, presenter: revokedCount,         message: "All other sessions were revoked." }),
  route({ method: "DELETE", path: "/auth/sessions/{session_id}",  calls: api.revoke_session,         guard: userToken,        input: inputs.sessionInPath,    status: 200, presenter: onlyMeta,             message: "Session revoked." }),
  route({ method: "DELETE", path: "/auth/account",                calls: api.delete_account,         guard: userToken,        input: inputs.passwordOrCode,   status: 200, presenter: deletion,             message: "Account deleted. A login until deletion_due_at restores it." }),
  route({ method: "GET",    path: "/auth/account/export",         calls: api.export_account,         guard: userToken,        input: inputs.nothing,          status: 200, presenter: accountExport,        message: "What is stored about the account." }),
  route({ method: "POST",   path: "/auth/register",               calls: api.register,               guard: anyone,           input: inputs.registration,     status: 201, presenter: registration,         message: "Registered. Ask for a SIGNUP code to verify the phone." }),
  route({ method: "POST",   path: "/auth/register/verify",        calls: api.verify_registration,    guard: guestTokenOrNone, input: inputs.registrationCode, status: 200, presenter: verifiedRegistration, message: "Phone verified." }),
  route({ method: "POST",   path: "/auth/login",                  calls: api.log_in,                 guard: guestTokenOrNone, input: inputs.credentials,      status: 200, presenter: login,                message: "Logged in." }),
  route({ method: "POST",   path: "/auth/login/otp",              calls: api.log_in_by_otp,          guard: guestTokenOrNone, input: inputs.loginCode,        status: 200, presenter: loginByCode,          message: "Logged in." }),
  route({ method: "POST",   path: "/auth/login/factor",           calls: api.log_in_by_factor,       guard: anyone,           input: inputs.challengeAnswer,  status: 200, presenter: login,                message: "Logged in." }),
  route({ method: "POST",   path: "/auth/login/factor/options",   calls: api.begin_factor_passkey,   guard: anyone,           input: inputs.challenge,        status: 200, presenter: passkeyRequest,       message: "What a browser is to use a passkey by." }),
  route({ method: "POST",   path: "/auth/session/step-up/options", calls: api.begin_passkey_step_up, guard: userToken,        input: inputs.nothing,          status: 200, presenter: passkeyRequest,       message: "What a browser is to use a passkey by." }),
  route({ method: "POST",   path: "/auth/login/passkey/options",  calls: api.begin_passkey_login,    guard: anyone,           input: inputs.nothing,          status: 200, presenter: passkeyRequest,       message: "What a browser is to use a passkey by." }),
  route({ method: "POST",   path: "/auth/login/passkey",          calls: api.log_in_by_passkey,      guard: guestTokenOrNone, input: inputs.passkeyLogin,     status: 200, presenter: login,                message: "Logged in." }),
  route({ method: "POST",   path: "/auth/password",               calls: api.change_password,        guard: userToken,        input: inputs.passwordChange,   status: 200, presenter: onlyMeta,             message: "Password set. All other sessions were revoked." }),
  route({ method: "POST",   path: "/auth/phone",                  calls: api.request_phone_change,   guard: userToken,        input: inputs.phoneChange,      status: 200, presenter: sentOtp,              message: "One-time password sent to the new phone.", follow: awaitDelivery }),
  route({ method: "POST",   path: "/auth/phone/verify",           calls: api.change_phone,           guard: userToken,        input: inputs.phoneChangeCode,  status: 200, presenter: phoneChange,          message: "Phone verified. It is the account's, and all other sessions were revoked, unless phone_change_due_at is later." }),
  route({ method: "DELETE", path: "/auth/phone/change",           calls: api.stop_phone_change,      guard: userToken,        input: inputs.nothing,          status: 200, presenter: onlyMeta,             message: "The phone stays as it is." }),
  route({ method: "POST",   path: "/auth/email",                  calls: api.request_email_change,   guard: userToken,        input: inputs.emailChange,      status: 200, presenter: sentOtp,              message: "One-time password sent to the new email.", follow: awaitDelivery }),
  route({ method: "POST",   path: "/auth/email/verify",           calls: api.change_email,           guard: userToken,        input: inputs.emailChangeCode,  status: 200, presenter: onlyMeta,             message: "Email verified." }),
  route({ method: "DELETE", path: "/auth/email",                  calls: api.remove_email,           guard: userToken,        input: inputs.passwordUnlessRecent, status: 200, presenter: onlyMeta,         message: "Email removed." }),
  route({ method: "POST",   path: "/auth/reset-password",         calls: api.request_password_reset, guard: anyone,           input: inputs.name,             status: 200, presenter: requestedReset,       message: "If the number exists, a one-time password is sent to it." }),
  route({ method: "POST",   path: "/auth/reset-password/verify",  calls: api.reset_password,         guard: anyone,           input: inputs.newPassword,      status: 200, presenter: onlyMeta,             message: "Password set. All sessions were revoked." }),
  route({ method: "GET",    path: "/auth/factors",                calls: api.list_factors,           guard: userToken,        input: inputs.nothing,          status: 200, presenter: factorList,           message: "Second factors." }),
  route({ method: "POST",   path: "/auth/factors/totp",           calls: api.add_totp_factor,        guard: userToken,        input: inputs.factorLabel,      status: 201, presenter: newTotp,              message: "Authenticator app added. Its first code confirms it." }),
  route({ method: "POST",   path: "/auth/factors/totp/verify",    calls: api.confirm_totp_factor,    guard: userToken,        input: inputs.factorCode,       status: 200, presenter: confirmedFactor,      message: "Authenticator app confirmed." }),
  route({ method: "POST",   path: "/auth/factors/passkey/options", calls: api.begin_passkey_enrolment, guard: userToken,      input: inputs.nothing,          status: 200, presenter: passkeyCreation,      message: "What a browser is to make a passkey by." }),
  route({ method: "POST",   path: "/auth/factors/passkey",        calls: api.add_passkey,            guard: userToken,        input: inputs.newPasskey,       status: 201, presenter: confirmedFactor,      message: "Passkey added." }),
  route({ method: "DELETE", path: "/auth/factors/{factor_id}",    calls: api.remove_factor,          guard: userToken,        input: inputs.factorInPath,     status: 200, presenter: onlyMeta,             message: "Second factor removed." }),
  route({ method: "POST",   path: "/auth/recovery-codes",         calls: api.make_recovery_codes,    guard: userToken,        input: inputs.nothing,          status: 200, presenter: recoveryCodes,        message: "Recovery codes made. The earlier ones are worthless." }),
  route({ method: "POST",   path: "/otp/send",                    calls: api.send_otp,               guard: anyone,           input: inputs.otpRequest,       status: 200, presenter: sentOtp,              message: "One-time password sent.", follow: awaitDelivery }),
  route({ method: "POST",   path: "/otp/receipts/twilio",         calls: api.record_receipt,         guard: twilio,           input: inputs.twilioReceipt,    status: 200, presenter: takenReceipt,         message: "Receipt taken." }),
  route({ method: "POST",   path: "/otp/receipts/vonage",         calls: api.record_receipt,         guard: vonage,           input: inputs.vonageReceipt,    status: 200, presenter: takenReceipt,         message: "Receipt taken." }),
  route({ method: "POST",   path: "/otp/receipts/http",           calls: api.record_receipt,         guard: http,             input: inputs.httpReceipt,      status: 200, presenter: takenReceipt,         message: "Receipt taken." }),
];

/**
 * The routes of each path, in the order in which Express has to try them: a variable part would match a fixed one too.
 */
export const routesByPath = new Map(
  [...Map.groupBy(routes, ({ path }) => path)].sort(
    ([one], [other]) => Number(one.includes("{")) - Number(other.includes("{")),
  ),
);
