import type { Account, DeliveryEvent, Session } from "../documents/person_documents.ts";
import { howSignedIn } from "./person_sessions.ts";
import { formatUserAgent } from "./format_user_agent.ts";

export type Tone = "good" | "bad" | "plain";
export type StoryEvent = DeliveryEvent & { tone: Tone };

const bad =
  /refuse|declined|could not|no clear answer|not delivered|wrong|OTP_SEND_FAILED|nothing was sent|no more codes|expired/i;
const good = /accepted the message|was delivered|right code/i;

/** The color of an event. It adds nothing to the words. */
export const toneOf = (what: string): Tone => (bad.test(what) ? "bad" : good.test(what) ? "good" : "plain");

/** Digits of a second below the millisecond, which a Date does not have. */
const microseconds = (at: string): string => (/\.\d{3}(\d*)/.exec(at)?.[1] ?? "").padEnd(3, "0");

/** Compares two events by time, to the microsecond: those of one transaction are less than a millisecond apart. */
export const inOrderOfTime = (a: { at: string }, b: { at: string }): number =>
  Date.parse(a.at) - Date.parse(b.at) || Number(microseconds(a.at)) - Number(microseconds(b.at));

const event = (at: string, what: string, details: string | null, tone: Tone = "plain"): StoryEvent => ({
  at,
  what,
  details,
  tone,
  otp_id: null,
});

/** Returns the sign-ins, and the ends of their sessions, as far as sessions are still stored. */
export const sessionEvents = (sessions: Session[]): StoryEvent[] =>
  sessions.flatMap((session) => {
    const device = session.label ?? formatUserAgent(session.user_agent);
    const details = `${session.client ?? "address not stored"}; session ${session.id}`;
    const how = session.amr === null ? "A session was opened" : `Signed in by ${howSignedIn(session)}`;
    return [
      event(session.authenticated_at ?? session.created_at, `${how}: ${device}.`, details, "good"),
      ...(session.revoked_at === null
        ? []
        : [event(session.revoked_at, `The session of ${device} ended.`, `session ${session.id}`)]),
    ];
  });

export const accountEvents = (account: Account): StoryEvent[] => [
  event(account.created_at, "The account was made.", null, "good"),
  ...disabled(account.was_disabled_at, account.was_disabled_reason),
  ...(account.enabled_at === null
    ? []
    : [event(account.enabled_at, "An operator enabled the account again.", null, "good")]),
  ...disabled(account.disabled_at, account.disabled_reason),
];

const disabled = (at: string | null, reason: string | null): StoryEvent[] =>
  at === null ? [] : [event(at, "An operator disabled the account.", reason, "bad")];
