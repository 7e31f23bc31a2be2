import type { AccountAnswer, Answer, OtpAnswer, SessionAnswer } from "../database/api_functions.ts";
import type { Tokens } from "../tokens/tokens.ts";

/** Shapes the data of a success answer as the specification has it; undefined: the answer has only meta. */
export type Present<A extends Answer = never> = (
  answer: A,
  tokens: Tokens,
) => Record<string, unknown> | undefined;

export const onlyMeta: Present<Answer> = () => undefined;

/** Guest creation and refresh. */
export const newSession: Present<SessionAnswer> = (session, tokens) => {
  const { access_token, refresh_token, access_token_expires_at } = tokens.sign(session);
  return {
    session_id: session.session_id,
    access_token,
    refresh_token,
    expires_at: access_token_expires_at,
    user_type: session.user_type,
  };
};

export const login: Present<SessionAnswer> = (session, tokens) => {
  const { access_token, refresh_token } = tokens.sign(session);
  return { session_id: session.session_id, access_token, refresh_token, role: session.role };
};

export const verifiedRegistration: Present<SessionAnswer> = (session, tokens) => ({
  insert_user_session_one: { id: session.session_id, ...tokens.sign(session) },
});

export const registration: Present<AccountAnswer> = ({ user_id }) => ({ userId: user_id });

export const sentOtp: Present<OtpAnswer> = ({ otp_id, expires_at }) => ({
  message: "One-time password sent.",
  otpId: otp_id,
  expiresAt: new Date(expires_at).toISOString(),
});
