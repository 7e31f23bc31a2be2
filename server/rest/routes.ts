import type { ApiFunction } from "../database/api_functions.ts";
import {
  login,
  newSession,
  onlyMeta,
  registration,
  sentOtp,
  verifiedRegistration,
  type Present,
} from "./answers.ts";
import { awaitDelivery, type Follow } from "./await_delivery.ts";
import { guards, type Guard } from "./guards.ts";
import { inputs, type Input } from "./inputs.ts";

export interface Route {
  path: string;
  /** The function of schema api that answers. */
  call: ApiFunction;
  guard: Guard;
  input: Input;
  status: number;
  present: Present;
  message: string;
  /** What comes between the function's answer and ours. */
  follow?: Follow;
}

const { anyone, accessToken, refreshToken } = guards;

/** From a URL (below /api/v1, all POST) to the SQL that answers it in one look. Health and webhook are in app.ts. */
// prettier-ignore
export const routes: Route[] = [
  { path: "/auth/session/guest",         call: "create_guest_session",   guard: anyone,       input: inputs.nothing,      status: 200, present: newSession,           message: "Guest session created." },
  { path: "/auth/session/refresh",       call: "refresh_session",        guard: refreshToken, input: inputs.refreshToken, status: 200, present: newSession,           message: "Session refreshed." },
  { path: "/auth/logout",                call: "log_out",                guard: accessToken,  input: inputs.nothing,      status: 200, present: onlyMeta,             message: "Logged out." },
  { path: "/auth/register",              call: "register",               guard: anyone,       input: inputs.registration, status: 201, present: registration,         message: "Registered. Ask for a SIGNUP code to verify the phone." },
  { path: "/auth/register/verify",       call: "verify_registration",    guard: anyone,       input: inputs.registrationCode, status: 200, present: verifiedRegistration, message: "Phone verified." },
  { path: "/auth/login",                 call: "log_in",                 guard: anyone,       input: inputs.credentials,  status: 200, present: login,                message: "Logged in." },
  { path: "/auth/reset-password",        call: "request_password_reset", guard: anyone,       input: inputs.phone,        status: 200, present: onlyMeta,             message: "If the number exists, a one-time password is sent to it." },
  { path: "/auth/reset-password/verify", call: "reset_password",         guard: anyone,       input: inputs.newPassword,  status: 200, present: onlyMeta,             message: "Password set. All sessions were revoked." },
  { path: "/otp/send",                   call: "send_otp",               guard: anyone,       input: inputs.otpRequest,   status: 200, present: sentOtp,              message: "One-time password sent.", follow: awaitDelivery },
];
