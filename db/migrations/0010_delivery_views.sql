create type platform.delivery_event as (at timestamptz, what text, otp_id uuid, details text);
comment on type platform.delivery_event is
  'An event in the story of a phone or email address (platform.explain_delivery). what: a sentence; otp_id: the one-time password that it is '
  'about, or null; details: what the vendor or a limit says, or null. Holds neither code nor hash';

create view platform.delivery_by_hour with (security_invoker = true) as
select
  date_bin(interval '1 hour', a.started_at, timestamptz 'epoch') as hour,
  a.provider,
  a.channel,
  -- The list of ITU-T E.164: no calling code begins another, so the code that matches is the right one.
  substring(
    o.identifier from
    '^\+([17]|2[07]|2[1-689]\d|3[0-469]|3[578]\d|4[013-9]|42\d|5[1-8]|5[09]\d|6[0-6]|6[7-9]\d|8[1246]|8[035789]\d|9[0-58]|9[679]\d)'
  ) as calling_code,
  count(*)::integer as attempts,
  (count(*) filter (where a.outcome = 'sent'))::integer as sent,
  (count(*) filter (where a.outcome = 'refused'))::integer as refused,
  (count(*) filter (where a.outcome = 'declined'))::integer as declined,
  (count(*) filter (where a.outcome = 'unreachable'))::integer as unreachable,
  (count(*) filter (where a.outcome = 'uncertain'))::integer as uncertain,
  (count(*) filter (where a.receipt = 'delivered'))::integer as delivered,
  (count(*) filter (where a.receipt = 'undelivered'))::integer as undelivered,
  (count(*) filter (where a.outcome = 'sent' and o.verified_at is not null))::integer as verified,
  percentile_disc(0.5) within group (order by a.duration_ms) as median_ms,
  percentile_disc(0.95) within group (order by a.duration_ms) as p95_ms,
  d.country
from platform.delivery_attempt a
-- The limits keep it a look-up per attempt. As plain joins PostgreSQL would read all one-time passwords for a day's attempts.
cross join lateral (select t.identifier, t.verified_at from platform.otp_transaction t where t.id = a.otp_id limit 1) o
left join lateral (select s.country from platform.send_decision s where s.otp_id = a.otp_id limit 1) d on true
group by 1, 2, 3, 4, d.country;
comment on view platform.delivery_by_hour is
  'Attempts to send by hour, provider, channel, calling code and country. Filter by hour: a day is read by an index, all of it is not.';
comment on column platform.delivery_by_hour.hour is 'The hour (UTC) in which the attempts began';
comment on column platform.delivery_by_hour.provider is 'Name of the provider, as in OTP_PROVIDER; smtp for email';
comment on column platform.delivery_by_hour.channel is 'sms, whatsapp, voice or email';
comment on column platform.delivery_by_hour.calling_code is
  'Calling code of the phone, such as 49; several countries may share one (1, 7); null for email';
comment on column platform.delivery_by_hour.attempts is 'All attempts; those that are neither of the next five are still in progress';
comment on column platform.delivery_by_hour.sent is 'Accepted by the vendor';
comment on column platform.delivery_by_hour.refused is 'Refused by the vendor, for the recipient or text';
comment on column platform.delivery_by_hour.declined is 'Declined for the vendor''s own reasons: credentials, balance, throttling';
comment on column platform.delivery_by_hour.unreachable is 'No connection to the vendor';
comment on column platform.delivery_by_hour.uncertain is 'No clear answer: perhaps sent';
comment on column platform.delivery_by_hour.delivered is 'The vendor''s receipt says that the message arrived';
comment on column platform.delivery_by_hour.undelivered is 'The vendor''s receipt says that the message did not arrive';
comment on column platform.delivery_by_hour.verified is 'Of those sent, messages whose one-time password was used';
comment on column platform.delivery_by_hour.median_ms is 'Half of the vendor''s answers took no longer, milliseconds';
comment on column platform.delivery_by_hour.p95_ms is '95 of 100 of the vendor''s answers took no longer, milliseconds';
comment on column platform.delivery_by_hour.country is
  'Country of the phone: ISO 3166-1 alpha-2, 001 for a number of no single country; null: email, a notice, a test message';
