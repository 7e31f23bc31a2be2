import { z } from "zod";

const id = z.uuid();
/** As PostgreSQL writes it in JSON: ISO 8601 with an offset. */
const time = z.iso.datetime({ offset: true });
const timeOrNone = time.nullable();
const textOrNone = z.string().nullable();

/** What SQL's private.export_account says of an account: all that is stored, apart from hashes and token ids. */
export const exportedAccount = z.object({
  account: z.object({
    user_id: id,
    phone: z.string().meta({ examples: ["+12125550123"] }),
    email: textOrNone.meta({ examples: ["ada@example.com"] }),
    has_password: z.boolean(),
    phone_verified_at: time,
    created_at: time,
    updated_at: time,
    last_used_on: z.iso.date().meta({ examples: ["2026-01-31"] }),
  }),
  sessions: z.array(
    z.object({
      session_id: id,
      created_at: time,
      refreshed_at: timeOrNone,
      revoked_at: timeOrNone,
      access_token_expires_at: time,
      refresh_token_expires_at: time,
      authenticated_at: timeOrNone,
      amr: z.array(z.string()).nullable(),
      client: textOrNone,
      user_agent: textOrNone,
      label: textOrNone,
    }),
  ),
  one_time_passwords: z.array(
    z.object({
      otp_id: id,
      identifier: z.string().meta({ examples: ["+12125550123"] }),
      purpose: z.string(),
      delivery: z.string(),
      attempts: z.number(),
      created_at: time,
      expires_at: time,
      verified_at: timeOrNone,
      languages: z.array(z.string()),
      autofill: textOrNone,
    }),
  ),
  delivery_attempts: z.array(
    z.object({
      otp_id: id,
      provider: z.string(),
      channel: z.string(),
      outcome: textOrNone,
      started_at: time,
      vendor_message_id: textOrNone,
      receipt: textOrNone,
      receipt_at: timeOrNone,
    }),
  ),
  send_decisions: z.array(
    z.object({
      otp_id: id,
      at: time,
      prefix: z.string(),
      country: z.string(),
      client: z.string(),
      purpose: z.string(),
    }),
  ),
  known_clients: z.array(z.object({ client: z.string(), logged_in_at: time })),
  guest_sessions: z.array(z.object({ session_id: id, promoted_at: time })),
  rate_limits: z.array(z.object({ name: z.string(), requests: z.number(), last_at: timeOrNone })),
  wrong_codes: z.array(z.object({ purpose: z.string(), guesses: z.number(), since: time })),
  earlier_phones: z
    .array(z.object({ phone: z.string(), held_until: timeOrNone, asked_at: timeOrNone }))
    .meta({ description: "Phones that the account had before, or asked to have." }),
  wrong_codes_in_a_row: z.number(),
  shortened: z.array(z.string()).meta({ description: "Lists of which only the newest 500 rows are here." }),
});
