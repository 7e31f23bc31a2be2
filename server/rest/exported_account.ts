import { z } from "zod";

/** A field of the export, described for the OpenAPI document. */
const id = (description: string) => z.uuid().meta({ description });
/**
 * PostgreSQL writes times in JSON with microseconds and an offset. They leave as in every other response: UTC, with
 * milliseconds.
 */
const anyTime = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value).toISOString())
  .pipe(z.iso.datetime({ precision: 3 }));
const time = (description: string) => anyTime.meta({ description });
const timeOrNone = (description: string, examples?: [null]) =>
  anyTime.nullable().meta({ description, ...(examples && { examples }) });
const text = (description: string, example: string) => z.string().meta({ description, examples: [example] });
const textOrNone = (description: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [example] });
const texts = (description: string, examples: string[][]) => z.array(z.string()).meta({ description, examples });
const count = (description: string, example: number) => z.number().meta({ description, examples: [example] });

/** An object with a name of its own in the OpenAPI document. */
const named = <Shape extends z.ZodRawShape>(title: string, shape: Shape) => z.object(shape).meta({ title });

const phone = "+12125550123";
const client = "192.0.2.1";

const account = named("Account", {
  user_id: id("Claim sub of the user's tokens."),
  external_id: textOrNone(
    "The user's id in the system that the account was imported from.",
    "auth0|5f7c8ec7c33c6c004bbafe82",
  ),
  phone: text("The verified phone, in E.164.", phone),
  email: textOrNone("Verified, or as given at the registration or by an admin.", "ada@example.com"),
  email_verified_at: timeOrNone("When a code confirmed the email; null: none has."),
  has_password: z.boolean().meta({ description: "False: the user can log in by code only." }),
  phone_verified_at: time("When a code confirmed the phone, or an admin or an import gave it."),
  created_at: time("When the account was made."),
  updated_at: time("When phone, email or password last changed."),
  last_used_on: z.iso.date().meta({
    description: "The last day (UTC) on which a session was opened or refreshed.",
    examples: ["2026-01-31"],
  }),

  phone_change: named("ExportedPhoneChange", {
    phone: text("The phone that the account is to get.", phone),
    asked_at: time("When its code was typed."),
    due_at: time("When the phone changes."),
  })
    .nullable()
    .meta({ description: "A change of phone without the password that waits; null: none.", examples: [null] }),
});

const session = named("ExportedSession", {
  session_id: id("Claim sid of the session's tokens."),
  created_at: time("When it was opened."),
  refreshed_at: timeOrNone("When its tokens were last replaced; null: never."),
  revoked_at: timeOrNone("When it was revoked; null: it was not.", [null]),
  access_token_expires_at: time("When its access token ends."),
  refresh_token_expires_at: time("When its refresh token ends."),
  authenticated_at: timeOrNone("When the user signed in; null: nobody did."),
  amr: z
    .array(z.string())
    .nullable()
    .meta({ description: "How the user signed in: pwd or sms (RFC 8176).", examples: [["pwd"]] }),
  client: textOrNone("The address that last refreshed or opened it.", client),
  user_agent: textOrNone("The header User-Agent of that client.", "Mozilla/5.0 …"),
  label: textOrNone("The name that the client gave it.", "Ada's phone"),
});

const oneTimePassword = named("ExportedOtp", {
  otp_id: id("As otpId of POST /otp/send."),
  identifier: text("The phone that it was for.", phone),
  purpose: text("What it was good for.", "LOGIN"),
  delivery: text("What became of its message.", "sent"),
  attempts: count("Wrong guesses.", 0),
  created_at: time("When it was requested."),
  expires_at: time("When the code ended."),
  verified_at: timeOrNone("When the code was used; null: it was not."),
  languages: texts("Those of the request, the preferred one first.", [["de-AT", "en"]]),
  autofill: textOrNone("What the message's last line named; null: nothing.", "@app.example.com"),
});

const deliveryAttempt = named("DeliveryAttempt", {
  otp_id: id("The one-time password that was sent."),
  provider: text("The provider that was to send it.", "twilio"),
  channel: text("sms, whatsapp, voice or email.", "sms"),
  outcome: textOrNone("What the provider answered; null: nothing yet.", "sent"),
  started_at: time("When the attempt began."),
  vendor_message_id: textOrNone("The provider's id of the message.", "SM0123456789abcdef0123456789abcdef"),
  receipt: textOrNone("delivered or undelivered; null: no receipt came.", "delivered"),
  receipt_at: timeOrNone("When the receipt came."),
});

const sendDecision = named("SendDecision", {
  otp_id: id("The one-time password that was decided about."),
  at: time("When it was decided."),
  prefix: text("The phone without its last six digits.", "+12125"),
  country: text("The phone's country (ISO 3166-1); 001: none in particular.", "US"),
  client: text("The address that requested it; empty: erased, or not known to be the user's.", client),
  purpose: text("What the code was good for.", "LOGIN"),
  number_type: textOrNone("The phone's type by its numbering plan; null: not known.", "MOBILE"),
});

const knownClient = named("KnownClient", {
  client: text("An address from which the user logged in.", client),
  logged_in_at: time("When the user last did so."),
});

const guestSession = named("PromotedGuest", {
  session_id: id("The guest session that ended when the user signed in."),
  promoted_at: time("When that was."),
});

const rateLimit = named("CountedRequests", {
  name: text("The setting that limits the requests.", "LOGINS_PER_PHONE"),
  requests: count("How many were counted.", 3),
  last_at: timeOrNone("When the last one was."),
});

const wrongCodes = named("WrongCodes", {
  purpose: text("What the guessed codes were good for.", "LOGIN"),
  guesses: count("How many were wrong.", 1),
  since: time("When the first of them was tried."),
});

const earlierPhone = named("EarlierPhone", {
  phone: text("In E.164.", "+12125550124"),
  held_until: timeOrNone("Until when the account had it; null: it never had."),
  asked_at: timeOrNone("When the user last asked to have it; null: never.", [null]),
});

const factor = named("ExportedFactor", {
  factor_id: id("The second factor."),
  kind: text("totp: an authenticator app; passkey.", "totp"),
  label: textOrNone("The name that the user gave it.", "Ada's phone"),
  created_at: time("When it was added."),
  confirmed_at: timeOrNone("When its first code was right; null: it was not yet."),
  last_used_at: timeOrNone("When it was last used; null: never.", [null]),
});

const event = named("ExportedEvent", {
  event_id: id("The event."),
  type: text("What happened.", "session.opened"),
  at: time("When it happened."),
  session_id: z.uuid().nullable().meta({ description: "The session that it is about; null: none, or several." }),
  actor: text("user, guest (whoever is not signed in), admin, system or operator.", "user"),
  client: textOrNone("The address that the user did it from; null: not known.", client),
  data: z
    .record(z.string(), z.unknown())
    .meta({ description: "More of this type of event.", examples: [{ amr: ["pwd"] }] }),
});

/** What SQL's private.export_account says of an account: all that is stored, apart from hashes and token ids. */
export const exportedAccount = z.object({
  account: account.meta({ description: "The account itself." }),
  sessions: z.array(session).meta({ description: "Sessions, ended ones included until they are deleted." }),
  one_time_passwords: z.array(oneTimePassword).meta({ description: "Codes that were requested." }),
  delivery_attempts: z.array(deliveryAttempt).meta({ description: "Attempts to send them." }),
  send_decisions: z.array(sendDecision).meta({ description: "What the fraud rules saw of each send." }),
  known_clients: z.array(knownClient).meta({ description: "Addresses from which the user logged in." }),
  guest_sessions: z.array(guestSession).meta({ description: "Guest sessions that became the user's." }),
  rate_limits: z.array(rateLimit).meta({ description: "Requests that count towards a limit." }),
  wrong_codes: z.array(wrongCodes).meta({ description: "Wrong guesses by purpose." }),
  earlier_phones: z.array(earlierPhone).meta({ description: "Phones that the account had before, or asked to have." }),
  factors: z.array(factor).meta({ description: "Second factors, without their secrets." }),
  events: z.array(event).meta({ description: "What happened to the account." }),
  wrong_codes_in_a_row: count("Wrong guesses since the last right code.", 1),
  shortened: texts("Lists of which only the newest 500 rows are here.", [[]]),
});
