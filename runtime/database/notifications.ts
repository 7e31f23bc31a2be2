import { createHash, hash } from "node:crypto";
import { z } from "zod";

/** How a notification names a row, as private.notification_digest computes it. */
export const notificationDigest = (id: string): string =>
  createHash("sha256")
    .update(Buffer.from(id.replaceAll("-", ""), "hex"))
    .digest("hex")
    .slice(0, 32);

const digest = z.string().regex(/^[0-9a-f]{32}$/, "is not a digest");

/** How a notification names a table, as private.table_digest computes it. */
export const tableDigest = (schema: string, table: string): string => hash("sha256", `${schema}.${table}`).slice(0, 32);

/**
 * The channels that a server listens to, with the schema of each payload. Every login role may LISTEN to them, so a
 * payload is the digest of an id, which tells nothing to a role that does not have the id. Every role may NOTIFY as
 * well, so a payload is only a hint: it makes the server read a row, and the row decides.
 */
export const notifications = {
  /** The one-time password whose delivery was recorded (private.settle_delivery). */
  otp_delivery: digest,
  /**
   * The user, or the guest's session, of which a session was opened, revoked or deleted
   * ("user".notify_session_changed).
   */
  session_changed: digest,
  /** Signing keys were added, promoted or retired (npm run keys). */
  signing_keys_changed: z.literal(""),
};

/** The channel of the application's tables (latchkey.notify_change), which GraphQL alone listens to. */
export const tableNotifications = { table_changed: digest };

export type Notifications = typeof notifications;
