import { z } from "zod";
import type {
  Account,
  AccountExport,
  Caller,
  Deletion,
  Nothing,
  Otp,
  ResetRequest,
  Revocation,
  Session,
  SessionList,
} from "../database/api_answers.ts";
import { exportedAccount } from "./exported_account.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { exampleRefreshToken } from "./body_fields.ts";

/** Shapes the data of a successful response. */
export interface Presenter<Data> {
  /** For the OpenAPI document; undefined: the answer has meta alone. */
  schema: z.ZodType | undefined;
  present: (data: Data, tokens: Tokens) => object | undefined;
}

/** @param title the name of the data in the OpenAPI document, and so in what others generate from it */
const presenter = <Data, Schema extends z.ZodType<object>>(
  title: string,
  schema: Schema,
  present: (data: Data, tokens: Tokens) => z.output<Schema>,
): Presenter<Data> => ({ schema: schema.meta({ title }), present });

const id = z.uuid();
const sessionId = id.meta({ description: "The session: claim sid of its tokens." });
const time = z.iso.datetime({ precision: 3 });
const openedAt = time.meta({ description: "When the session was opened." });
const accessTokenEnd = time.meta({ description: "When the access token ends." });
const refreshTokenEnd = time.meta({
  description: "When the refresh token ends, and the session with it unless it is refreshed.",
});
const jwt = z.jwt();
const accessToken = jwt.meta({ description: "Bearer token of protected routes and of GraphQL." });
const refreshToken = jwt.meta({
  description: "Good for POST /auth/session/refresh alone, and once.",
  examples: [exampleRefreshToken],
});
const role = z.enum(["guest", "user"]).meta({ description: "Whose session it is." });
const userRole = role.meta({ examples: ["user"] });
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

export const onlyMeta: Presenter<Nothing> = { schema: undefined, present: () => undefined };

/** The id is for the log: nobody may see whether anything is sent. */
export const requestedReset: Presenter<ResetRequest> = { schema: undefined, present: () => undefined };

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
  (session: Session, tokens) => {
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
const loginData = (session: Session, tokens: Tokens) => {
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
  (session: Session, tokens) => ({ ...loginData(session, tokens), created: session.created }),
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
  (session: Session, tokens) => ({
    insert_user_session_one: { id: session.session_id, ...tokens.sign(session) },
    ...promotion(session),
  }),
);

const toTime = (value: string): string => new Date(value).toISOString();

/** GET /auth/session. */
export const callerOf = presenter(
  "Caller",
  z.object({
    session_id: sessionId,
    user_type: userRole,
    role: userRole.meta({ description: "The same as user_type: the role of the session's tokens." }),
    user_id: id.nullable().meta({ description: "Claim sub of the tokens; null for a guest." }),
    phone: z
      .string()
      .nullable()
      .meta({ examples: ["+12125550123"], description: "The verified phone, in E.164." }),
    email: z
      .string()
      .nullable()
      .meta({
        examples: ["ada@example.com"],
        description: "As given at the registration or by an admin; not verified.",
      }),
    created_at: openedAt,
    access_token_expires_at: accessTokenEnd,
    refresh_token_expires_at: refreshTokenEnd,
    deletion_due_at: time.nullable().meta({
      examples: [null],
      description: "When the account that its owner deleted is erased; null: it was not deleted.",
    }),
  }),
  (caller: Caller) => ({
    ...caller,
    created_at: toTime(caller.created_at),
    access_token_expires_at: toTime(caller.access_token_expires_at),
    refresh_token_expires_at: toTime(caller.refresh_token_expires_at),
    deletion_due_at: caller.deletion_due_at === null ? null : toTime(caller.deletion_due_at),
  }),
);

const userSession = z
  .object({
    session_id: sessionId,
    current: z.boolean().meta({ examples: [true], description: "The session of this request." }),
    created_at: openedAt,
    last_used_at: time.meta({ description: "Its last refresh, or when it was opened." }),
    client: z
      .string()
      .nullable()
      .meta({
        examples: ["192.0.2.1"],
        description: "The address that last refreshed or opened it.",
      }),
    user_agent: z
      .string()
      .nullable()
      .meta({ examples: ["Mozilla/5.0 …"], description: "The header User-Agent of that client." }),
    label: z
      .string()
      .nullable()
      .meta({ examples: ["Ada's phone"], description: "The name that the client gave it." }),
  })
  .meta({ title: "UserSession" });

export const sessionsOfUser = presenter(
  "SessionList",
  z.object({
    sessions: z.array(userSession).meta({ description: "Live sessions, newest first." }),
  }),
  ({ sessions }: SessionList) => ({
    sessions: sessions.map((session) => ({
      ...session,
      created_at: toTime(session.created_at),
      last_used_at: toTime(session.last_used_at),
    })),
  }),
);

export const revokedCount = presenter(
  "RevokedSessions",
  z.object({ revoked: z.int().meta({ examples: [2], description: "How many sessions were revoked." }) }),
  ({ revoked }: Revocation) => ({ revoked }),
);

export const registration = presenter(
  "Registration",
  z.object({ userId: id.meta({ description: "Names this registration at POST /auth/register/verify." }) }),
  ({ user_id }: Account) => ({ userId: user_id }),
);

const otpSent = "One-time password sent.";
export const sentOtp = presenter(
  "SentOtp",
  z.object({
    message: z.string().meta({ examples: [otpSent], description: "For people." }),
    otpId: id.meta({ description: "Names the code in logs and in GraphQL's platform_otp_transaction." }),
    expiresAt: time.meta({ description: "When the code ends." }),
  }),
  ({ otp_id, expires_at }: Otp) => ({
    message: otpSent,
    otpId: otp_id,
    expiresAt: toTime(expires_at),
  }),
);

export const deletion = presenter(
  "AccountDeletion",
  z.object({ deletion_due_at: time.meta({ description: "Until then a login restores the account." }) }),
  ({ deletion_due_at }: Deletion) => ({ deletion_due_at: toTime(deletion_due_at) }),
);

export const accountExport = presenter("AccountExport", exportedAccount, ({ export: data }: AccountExport) =>
  exportedAccount.parse(data),
);
