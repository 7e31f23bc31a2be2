begin;
select plan(14);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
create function pg_temp.told(type text, data jsonb default '{}', user_id uuid default null) returns platform.delivery_event language sql as $$
  select private.explain_refused((null, told.type, now(), told.user_id, null, 'guest', null, told.data, 1, 1, '')::platform.event)
$$;
create function pg_temp.what(type text, data jsonb default '{}') returns text language sql as $$ select (pg_temp.told(what.type, what.data)).what $$;

select is(pg_temp.what('login.refused', '{"by": "password"}'), 'The password was refused: it is wrong, or no account has this phone or email.', 'a password');
select is(pg_temp.what('login.refused', '{"by": "factor"}'), 'The code of a second factor was wrong.', 'a second factor');
select ok(pg_temp.what('login.refused', '{"by": "passkey"}') like 'The passkey was refused: %', 'a passkey');
select is(pg_temp.what('otp.refused', '{"purpose": "LOGIN"}'), 'The code for LOGIN was wrong, or there was none.', 'a wrong code');
select is(pg_temp.what('otp.blocked', '{"purpose": "LOGIN", "by": "OTP_MAX_ATTEMPTS"}'),
  'It was the last wrong code that OTP_MAX_ATTEMPTS admits: the right one is refused, too.', 'the last one');
select is((pg_temp.told('otp.blocked', '{"purpose": "LOGIN", "by": "OTP_FAILURES_IN_A_ROW"}')).details,
  'the block ends by itself after a day, or by clear_limits; no account', 'the last one in a row, and what ends the block');
select is((select array_agg(pg_temp.what('otp.send_failed', jsonb_build_object('purpose', 'LOGIN', 'outcome', o.outcome)) order by o.n)
  from unnest(array['uncertain', 'cancelled', 'refused']) with ordinality o (outcome, n)), array[
    'No vendor confirmed the message with the code for LOGIN: it may have been sent.', 'No vendor confirmed the message with the code for LOGIN in time: its code is void, even if it arrives.',
    'The message with the code for LOGIN was not sent.'
  ], 'a message that failed');
select is((pg_temp.told('otp.send_failed', '{"otp_id": "01a22000-0000-7000-8000-000000000001"}')).otp_id, '01a22000-0000-7000-8000-000000000001'::uuid, 'of which the code is named');
select is((select row(t.what, t.details)::text from pg_temp.told('limit.exceeded',
  '{"policy": "OTP_SEND_PER_IP", "requests": 10, "seconds": 3600, "blocked_until": "2026-01-31T13:05:00Z"}') t),
  '("The limit OTP_SEND_PER_IP was reached: 10 requests in 3600 seconds.","it refused until 2026-01-31 13:05:00 UTC; no account")', 'a limit, and until when');
select ok(pg_temp.what('session.reuse_detected', '{"is_revoked": true}') like '% The session was revoked.', 'a token that was used again, whose session ended');
select ok(pg_temp.what('session.reuse_detected', '{"is_revoked": false}') like '% Only this request was refused (REFRESH_REUSE_POLICY).', 'or did not');
select is(pg_temp.what('factor.locked'), 'The account''s second factors were locked after 100 wrong codes in a row.', 'factors that were locked');
select ok((select (pg_temp.told('factor.locked', '{}', alice)).details like '%; account ' || alice || ', which can be signed in to' from actor), 'each names its account');
select is_empty($$select t.type from unnest(private.refusal_types()) t (type) where pg_temp.what(t.type) is null$$,
  'and every type of refusal is told');

select * from finish();
rollback;
