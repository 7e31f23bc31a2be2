import { z } from "zod";
import type { Session } from "../../database/api_answers.ts";
import { exampleRefreshToken } from "../body_fields.ts";
import { accessTokenEnd, id, refreshTokenEnd, role, sessionId, userRole } from "./answer_fields.ts";
import { presenter, type PresenterServices } from "./presenter.ts";

const jwt = z.jwt();
const accessToken = jwt.meta({ description: "Bearer token of protected routes and of GraphQL." });
const refreshToken = jwt.meta({
  description: "Good for POST /auth/session/refresh alone, and once.",
  examples: [exampleRefreshToken],
});
const promotedSessionId = id.optional().meta({
  description: "The guest session that ended with this: only where the request carried a guest's token.",
});

/** No key where nobody was promoted: docs/routes.md has it only in some responses. */
const promotion = ({ promoted_session_id }: Session): { promoted_session_id?: string } =>
  promoted_session_id === null ? {} : { promoted_session_id };

const restored = z.literal(true).optional().meta({
  description: "Signing in has undone the account's deletion. Left out: there was none.",
});
/** No key where nothing was restored, as with promotion. */
const restoration = ({ restored }: Session): { restored?: true } => (restored ? { restored } : {});

/** Guest creation and refresh. */
export const newSession = presenter(
  "SessionTokens",
  z.object({
    session_id: sessionId,
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_at: accessTokenEnd,
    user_type: role,
  }),
  (session: Session, { tokens }) => {
    const { access_token, refresh_token, access_token_expires_at } = tokens.sign(session);
    return {
      session_id: session.session_id,
      access_token,
      refresh_token,
      expires_at: access_token_expires_at,
      user_type: session.user_type,
    };
  },
);

const loginFields = {
  session_id: sessionId,
  access_token: accessToken,
  refresh_token: refreshToken,
  role: userRole,
  promoted_session_id: promotedSessionId,
  restored,
};
const loginData = (session: Session, { tokens }: PresenterServices) => {
  const { access_token, refresh_token } = tokens.sign(session);
  return {
    session_id: session.session_id,
    access_token,
    refresh_token,
    role: session.role,
    ...promotion(session),
    ...restoration(session),
  };
};
export const login = presenter("LoginSession", z.object(loginFields), loginData);

export const loginByCode = presenter(
  "CodeLogin",
  z.object({
    ...loginFields,
    created: z.boolean().meta({ examples: [false], description: "The code has opened the account." }),
  }),
  (session: Session, services) => ({ ...loginData(session, services), created: session.created }),
);

export const verifiedRegistration = presenter(
  "VerifiedRegistration",
  z.object({
    insert_user_session_one: z
      .object({
        id: sessionId,
        access_token: accessToken,
        access_token_expires_at: accessTokenEnd,
        refresh_token: refreshToken,
        refresh_token_expires_at: refreshTokenEnd,
      })
      .meta({ title: "RegisteredSession", description: "The session that was opened." }),
    promoted_session_id: promotedSessionId,
  }),
  (session: Session, { tokens }) => ({
    insert_user_session_one: { id: session.session_id, ...tokens.sign(session) },
    ...promotion(session),
  }),
);
