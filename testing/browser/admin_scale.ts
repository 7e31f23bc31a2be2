import {
  newestAccounts,
  accountByPhone,
  accountsByEmail,
  anythingById,
} from "../../web/static/admin/documents/find_documents.ts";
import { countersSubscription } from "../../web/static/admin/documents/counter_documents.ts";
import { sentByHour, vendorsByHour, whatIf } from "../../web/static/admin/documents/delivery_documents.ts";
import { invitationQuery } from "../../web/static/admin/documents/invitation_documents.ts";
import { previewQuery, textsQuery } from "../../web/static/admin/documents/message_documents.ts";
import {
  accountQuery,
  factorsQuery,
  limitsQuery,
  sessionQuery,
  sessionsQuery,
  storyQuery,
} from "../../web/static/admin/documents/person_documents.ts";
import {
  previewSecondFactor,
  settingsByKey,
  settingsQuery,
} from "../../web/static/admin/documents/setting_documents.ts";
import { signInsByHour } from "../../web/static/admin/documents/sign_ins_documents.ts";
import { signInQuery } from "../../web/static/admin/documents/sign_in_documents.ts";

/**
 * SQL that fills every table which the console reads with a row per account, as a superuser.
 * @param secondsApart between one account with its message and the next: how many rows the last day has
 */
export const seedAccounts = (accounts: number, secondsApart: number): string => `
  set session_replication_role = replica;
  create temp table seed as
    select n, now() - n * interval '${secondsApart} seconds' as at, '+1212' || 1000000 + n as phone from generate_series(1, ${accounts}) n;
  insert into "user".account (id, phone, email, phone_verified_at, created_at, last_used_on)
    select overlay(gen_random_uuid()::text placing left(private.first_id(at)::text, 13) from 1 for 13)::uuid, phone, 'person' || n || '@example.org', at, at, at from seed;
  insert into "user".session (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at, created_at)
    select private.new_id(), a.id, 'user', 'user', gen_random_uuid(), now() + interval '1 hour', gen_random_uuid(), now() + interval '30 days', a.created_at
    from "user".account a;
  insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, created_at, expires_at, current_since)
    select overlay(gen_random_uuid()::text placing left(private.first_id(at)::text, 13) from 1 for 13)::uuid, phone, 'PHONE', 'LOGIN', true, 'sent', at, at + interval '5 minutes', at from seed;
  insert into platform.delivery_attempt (id, otp_id, provider, channel, outcome, started_at, duration_ms)
    select gen_random_uuid(), o.id, 'twilio', 'sms', 'sent', o.created_at, 100 from platform.otp_transaction o;
  insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
    select private.new_id(), o.created_at, '+1212', 'US', '203.0.113.1', 'LOGIN', 'allowed', o.id from platform.otp_transaction o;
  insert into platform.rate_limit (key, hits, totals)
    select k || phone || ' LOGIN ' || n, array_fill(now(), array[3]), '{0,1,2,3}'
    from seed, unnest(array['OTP_SEND_PER_IDENTIFIER:', 'LOGIN_FAILURES_PER_PHONE_AND_IP:']) k;
  insert into private.guess_count select 'PHONE', phone, 'LOGIN', 5, now() from seed;
  insert into private.verification_state (identifier_type, identifier, failures, failed_at) select 'PHONE', phone, 100, now() from seed;
  insert into private.send_count (subject, period, starts_at, shard, sends, verified)
    select 'country:' || c, 'hour', date_trunc('hour', now(), 'UTC') - h * interval '1 hour', s, 5, 3
    from unnest(array['US', 'DE', 'BR', 'IN', 'JM']) c, generate_series(0, 720) h, generate_series(0, 7) s;
  insert into private.send_count (subject, period, starts_at, shard, sends, verified)
    select 'client:198.51.' || n / 250 % 250 || '.' || n % 250, 'hour', date_trunc('hour', now(), 'UTC') - n / 62500 * interval '1 hour', 0, 1, 1 from seed
    on conflict do nothing;
  drop table seed;
  set session_replication_role = origin`;

export interface ConsoleRequest {
  name: string;
  text: string;
  variables: object;
}

/** Every query of the console, about an account of the seed. */
export function adminRequests(account: { id: string; phone: string; session: string }): ConsoleRequest[] {
  const to = new Date();
  const from = new Date(to.getTime() - 86_400_000).toISOString();
  const { id, phone, session } = account;
  const everything = "1970-01-01T00:00:00Z";
  const before = "9999-12-31T00:00:00Z";
  const request = (name: string, { text }: { text: string }, variables: object = {}) => ({
    name,
    text,
    variables,
  });
  return [
    request("signInQuery", signInQuery),
    request("newestAccounts", newestAccounts, { before: "ffffffff-ffff-ffff-ffff-ffffffffffff", limit: 21 }),
    request("newestAccounts, a later page", newestAccounts, { before: id, limit: 21 }),
    request("accountByPhone", accountByPhone, { phone }),
    request("accountsByEmail", accountsByEmail, { email: "person500@example.org" }),
    request("anythingById", anythingById, { id }),
    request("accountQuery", accountQuery, { id }),
    request("sessionsQuery", sessionsQuery, { user: id, before, limit: 11 }),
    request("sessionQuery", sessionQuery, { id: session }),
    request("storyQuery", storyQuery, { phone, since: everything }),
    request("limitsQuery", limitsQuery, { identifier: phone, account: id }),
    request("factorsQuery", factorsQuery, { user: id }),
    request("invitationQuery", invitationQuery, { phone: "+12125550123" }),
    request("sentByHour", sentByHour, { from, to: to.toISOString() }),
    request("signInsByHour", signInsByHour, { from, to: to.toISOString() }),
    request("vendorsByHour", vendorsByHour, { from }),
    request("whatIf", whatIf, { settings: {}, from, to: to.toISOString() }),
    request("textsQuery", textsQuery),
    request("previewQuery", previewQuery, { template: "{{code}}" }),
    request("settingsQuery", settingsQuery),
    request("previewSecondFactor", previewSecondFactor, { value: "required" }),
    request("settingsByKey", settingsByKey, { keys: ["OTP_PROVIDER"] }),
    // A subscription is executed as the query of its fields.
    request("countersSubscription", { text: countersSubscription.text.replace("subscription", "query") }),
  ];
}
