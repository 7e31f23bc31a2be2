import { z } from "zod";

/** Parses JSON; text that is not JSON is an issue of the schema, not an exception. */
const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "is not JSON" });
    return z.NEVER;
  }
});

/**
 * The channels that a server listens to, with the schema of each payload. Every login role may NOTIFY on them, so a payload is only
 * a hint: it makes the server read a row, and the row decides.
 */
export const notifications = {
  /** The id of a one-time password whose delivery was recorded (private.settle_delivery). */
  otp_delivery: z.guid(),
  /** A session that was opened, revoked or deleted ("user".notify_session_changed). */
  session_changed: json.pipe(z.object({ session_id: z.guid(), user_id: z.guid().nullable() })),
};

export type Notifications = typeof notifications;
