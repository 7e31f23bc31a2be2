import { z } from "zod";
import type { Caller, Revocation, SessionList } from "../../database/api_answers.ts";
import {
  accessTokenEnd,
  id,
  refreshTokenEnd,
  sessionId,
  time,
  toTime,
  toTimeOrNull,
  userRole,
} from "./answer_fields.ts";
import { presenter } from "./presenter.ts";

const openedAt = time.meta({ description: "When the session was opened." });

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
        description: "Verified, or as given at the registration or by an admin.",
      }),
    created_at: openedAt,
    access_token_expires_at: accessTokenEnd,
    refresh_token_expires_at: refreshTokenEnd,
    deletion_due_at: time.nullable().meta({
      examples: [null],
      description: "When the account that its owner deleted is erased; null: it was not deleted.",
    }),
    phone_change_due_at: time.nullable().meta({
      examples: [null],
      description:
        "When the phone changes without the password (PHONE_RECOVERY_BY_EMAIL), unless DELETE /auth/phone/change stops it; null: it does not.",
    }),
  }),
  (caller: Caller) => ({
    ...caller,
    created_at: toTime(caller.created_at),
    access_token_expires_at: toTime(caller.access_token_expires_at),
    refresh_token_expires_at: toTime(caller.refresh_token_expires_at),
    deletion_due_at: toTimeOrNull(caller.deletion_due_at),
    phone_change_due_at: toTimeOrNull(caller.phone_change_due_at),
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
