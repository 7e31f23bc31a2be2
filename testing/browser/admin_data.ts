/**
 * Fills a database with what the console's views show: accounts, a person with a story, two days of counters, attempts
 * and decisions. Nothing is random, so that screenshots and sums are the same each time. Counters are of shard -1,
 * which no send of the service adds to.
 */
export async function fillAdmin(database: { query: (sql: string) => Promise<unknown> }): Promise<void> {
  await database.query(`
    set session_replication_role = replica;
    insert into "user".account (id, phone, email, phone_verified_at, created_at, last_used_on, disabled_at, disabled_reason)
    select private.first_id(at) , '+1212777' || lpad(n::text, 4, '0'), case when n % 3 = 0 then 'person' || n || '@example.org' end, at, at, now(),
      case when n % 17 = 5 then at + interval '5 minutes' end, case when n % 17 = 5 then 'Sent spam from this account' end
    from (select n, now() - interval '2 days' - n * interval '3 hours 7 minutes' as at from generate_series(1, 60) n) a;
    insert into "user".session (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at, created_at,
      authenticated_at, amr)
    select overlay(gen_random_uuid()::text placing left(private.first_id(at)::text, 13) from 1 for 13)::uuid, a.id, 'user', 'user', gen_random_uuid(), at, gen_random_uuid(),
      at + interval '1 day', at, at, (array['{sms}', '{pwd}', '{sms}', '{pwd,otp,mfa}', '{swk,user,mfa}', '{otp}', '{sms,mfa}'])[1 + n % 7]::text[]
    from (select n, now() - interval '2 hours' - n * interval '17 minutes' as at from generate_series(1, 150) n) s
    join (select id, row_number() over (order by id) as place from "user".account where phone like '+1212777%') a on a.place = 1 + s.n % 60;
    insert into private.send_count (subject, period, starts_at, shard, sends, verified)
    select 'country:' || country, 'hour', hour, -1, sends, sends * share / 100
    from (
      select country, hour, weight * (8 + 6 * sin(extract(hour from hour)::numeric / 3.8 - 1.6))::integer as sends, share
      from generate_series(date_trunc('hour', now(), 'UTC') - interval '47 hours', date_trunc('hour', now(), 'UTC'), interval '1 hour') hour,
        (values ('US', 5, 88), ('DE', 3, 91), ('BR', 2, 79), ('IN', 2, 83), ('001', 1, 35), ('JM', 1, 12)) c (country, weight, share)
    ) s;
    insert into private.send_count (subject, period, starts_at, shard, sends, verified)
    select 'all', 'hour', c.starts_at, -1, sum(c.sends), sum(c.verified) from private.send_count c where c.subject like 'country:%' and c.shard = -1 group by c.starts_at;
    create temp table sent as
    select private.first_id(now() - n * interval '11 minutes' - interval '1 minute') as id, now() - n * interval '11 minutes' - interval '1 minute' as at, n
    from generate_series(1, 200) n;
    insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, created_at, expires_at, current_since, verified_at)
    select id, case n % 3 when 0 then '+4915112345' else '+1212888' end || lpad(n::text, 4, '0'), 'PHONE', 'LOGIN', true, 'sent', at, at + interval '5 minutes', at,
      case when n % 5 <> 0 then at + interval '20 seconds' end from sent;
    insert into platform.delivery_attempt (id, otp_id, provider, channel, outcome, started_at, duration_ms, receipt, receipt_at, price, currency)
    select private.new_id(), id, case n % 4 when 0 then 'vonage' else 'twilio' end, 'sms', case when n % 23 = 0 then 'declined' else 'sent' end, at, 100 + n,
      case when n % 6 <> 0 then 'delivered' when n % 12 = 0 then 'undelivered' end, at, 0.0075, 'USD' from sent;
    insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id, verified_at, sends_this_hour, sends_last_day,
      country_unverified, country_verified, client_unverified, client_verified, since_last, known)
    select private.new_id(), at, '+1212', 'US', '203.0.113.' || n % 20, 'LOGIN', 'allowed', id, case when n % 5 <> 0 then at end, n, n, n / 2, 20, n % 9, 3,
      '1 day', false from sent;
    drop table sent;
    insert into platform.event (id, type, at, user_id, session_id, actor, client, data, lane, position, hash)
    select private.first_id(at), type, at, case when type not like 'setting.%' then a.id end, null, actor, client, data::jsonb, 0, n, ''
    from (
      select n, now() - n * interval '47 minutes' as at, (array['session.opened', 'password.changed', 'setting.changed', 'account.disabled', 'session.revoked'])[1 + n % 5] as type,
        (array['user', 'user', 'admin:alice', 'admin', 'system'])[1 + n % 5] as actor, case when n % 5 < 2 then '203.0.113.' || n end as client,
        (array['{"amr": ["pwd"]}', '{}', '{"key": "OTP_LENGTH", "old": 6, "new": 8}', '{"reason": "Sent spam from this account"}', '{"reason": "ended by the user"}'])[1 + n % 5] as data
      from generate_series(1, 60) n
    ) e
    join (select id, row_number() over (order by id) as place from "user".account where phone like '+1212777%') a on a.place = 1 + e.n % 60;
    insert into settings.event_subscription (id, url, types, secret_name, enabled) values
      ('crm', 'https://hooks.example.com/latchkey', '{account.registered,account.erased,phone.changed}', 'crm', true),
      ('ledger', 'https://ledger.example.com/events/of/latchkey', '{session.opened}', 'ledger', true),
      ('old', 'https://old.example.com/', '{session.revoked}', 'old', false);
    insert into platform.event_subscription_state (subscription_id, last_success_at, last_failure_at, last_error) values
      ('crm', now() - interval '1 minute', null, null), ('ledger', now() - interval '3 hours', now() - interval '2 minutes', 'HTTP 503');
    insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at, attempts, last_error, failed_at)
    select 'ledger', gen_random_uuid(), now(), now(), now() + interval '1 day', 3, 'HTTP 503', case when n > 12 then now() end from generate_series(1, 15) n;
    set session_replication_role = origin;
    analyze;
  `);
}
