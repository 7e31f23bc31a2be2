begin;
select plan(18);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101', verified_at => now() - interval '1 day') as id;
select test.open_session(id) from actor, generate_series(1, 3);
select test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now() - interval '2 days'), test.send_code('+12025550101', 'LOGIN');
select test.insert_hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 198.51.100.1', now()), test.insert_hits('LOGINS_PER_PHONE:+12025550101', now(), now());
update platform.rate_limit set totals = array(select t + 5 from unnest(totals) t order by t);
create temp table shown on commit drop as select r.* from "user".account a, private.export_rows(a, 2) r;
select is((select count(*)::integer from shown where section = 'sessions'), 2, 'a list has no more rows than asked for');
select is((select array_agg(content ->> 'session_id' order by n) from shown where section = 'sessions'),
  array(select s.id::text from "user".session s order by s.id desc limit 2), 'they are the newest, the first of them first');
select is((select count(*)::integer from shown where section = 'one_time_passwords'), 1,
  'a code from before the phone was verified may be another person''s, and is not among them');
select is((select content ->> 'name' || (content ->> 'requests') from shown where section = 'rate_limits'), 'LOGINS_PER_PHONE2',
  'a limit says how many requests it counted');
select is((select count(*)::integer from shown where content::text ~ '198.51.100.1'), 0, 'the address of a stranger is not among them');
insert into private.guess_count (identifier_type, identifier, purpose, guesses, first_guess_at, account_id)
select 'PHONE', g.identifier, g.purpose, g.guesses, now(), case when g.is_own then actor.id end
from actor, (values ('+12025550101', 'LOGIN', 1, false), ('+12025550102', 'LOGIN', 2, false), ('+12025550102', 'PHONE_CHANGE', 3, true)) g (identifier, purpose, guesses, is_own);
select test.queue_otp('+12025550102', 'PHONE', 'PHONE_CHANGE', true, now(), account_id => id) from actor;
select results_eq($$select r.content ->> 'purpose', r.content ->> 'guesses' from "user".account a, private.export_rows(a, 5) r
  where a.id = (select id from actor) and r.section = 'wrong_codes' order by r.content ->> 'purpose'$$,
  $$values ('LOGIN', '1'), ('PHONE_CHANGE', '3')$$, 'wrong codes are those for the phone, and those of a change of phone, wherever they were sent');
create temp table other on commit drop as select test.make_account('+12025550103') as id;
select private.remember_client(actor.id, '192.0.2.1'), private.remember_client(other.id, '192.0.2.2'),
  test.open_session(actor.id, (select session_id from test.open_session(null))), test.open_session(other.id, (select session_id from test.open_session(null)))
from actor, other;
select test.make_decision(jsonb_build_object('client', '192.0.2.3', 'otp_id', (test.otp('+12025550102', 'PHONE_CHANGE')).id)),
  test.make_decision('{"client": "192.0.2.4"}');
select results_eq($$select r.section, coalesce(r.content ->> 'client', r.content ->> 'session_id') from "user".account a, private.export_rows(a, 5) r
  where a.id = (select id from actor) and r.section in ('known_clients', 'guest_sessions', 'send_decisions') order by r.section$$,
  $$select 'guest_sessions', guest_session_id::text from platform.guest_promotion where user_id = (select id from actor)
    union all values ('known_clients', '192.0.2.1'), ('send_decisions', '192.0.2.3')$$, 'clients, guest sessions and sends are the account''s own');
-- Events
select test.forget_events();
select private.record_event('login.refused', id, null, '{}', '192.0.2.77'), private.record_event('password.reset', id, null, '{"a": 1}', '192.0.2.78') from actor;
select private.record_event('password.reset', id) from other;
select results_eq($$select r.content ->> 'type', r.content -> 'data' from "user".account a, private.export_rows(a, 5) r
  where a.id = (select id from actor) and r.section = 'events' order by r.n$$,
  $$values ('password.reset', jsonb '{"a": 1}'), ('login.refused', '{}')$$, 'events are the account''s own, the newest first');
update platform.event set client = null where type = 'password.reset';
select is((select count(*)::integer from "user".account a, private.export_rows(a, 5) r where a.id = (select id from actor) and r.content::text ~ '192.0.2.77'), 0,
  'without the addresses of strangers');
-- Attempts to deliver
select private.start_attempt(test.otp('+12025550101', 'LOGIN'), 'console');
select private.start_attempt(test.queue_otp('+12025550103', 'PHONE', 'LOGIN', true, now()), 'console');
select set_eq($$select (r.content ->> 'otp_id')::uuid from "user".account a, private.export_rows(a, 9) r
  where a.id = (select id from actor) and r.section = 'delivery_attempts'$$,
  $$select (test.otp('+12025550101', 'LOGIN')).id$$, 'attempts to deliver are those of its own one-time passwords');
-- Another account that tries to change to this phone
insert into private.guess_count (identifier_type, identifier, purpose, guesses, first_guess_at, account_id)
select 'PHONE', '+12025550101', 'PHONE_CHANGE', 4, now(), other.id from other;
select test.queue_otp('+12025550101', 'PHONE', 'PHONE_CHANGE', true, now(), account_id => id) from other;
select is((select count(*)::integer from "user".account a, private.export_rows(a, 9) r
  where a.id = (select id from actor) and r.section = 'wrong_codes' and r.content ->> 'guesses' = '4'), 0,
  'nor are wrong codes of an account that would change to the phone');
select is((select count(*)::integer from "user".account a, private.export_rows(a, 9) r
  where a.id = (select id from actor) and r.section = 'one_time_passwords' and r.content ->> 'purpose' = 'PHONE_CHANGE' and r.content ->> 'identifier' = a.phone), 0,
  'nor are its one-time passwords');
-- Anybody may request a code for the phone
select test.make_decision(jsonb_build_object('client', c, 'otp_id', (test.otp('+12025550101', 'LOGIN')).id))
from unnest(array['192.0.2.2', '192.0.2.8', '192.0.2.9', '198.51.100.7']) c;
select private.remember_client(id, '192.0.2.8') from actor;
update "user".session s set client = '192.0.2.9' from actor where s.user_id = actor.id;
select set_eq($$select r.content ->> 'client' from "user".account a, private.export_rows(a, 9) r
  where a.id = (select id from actor) and r.section = 'send_decisions' and r.content ->> 'otp_id' = (test.otp('+12025550101', 'LOGIN')).id::text$$, array['192.0.2.8', '192.0.2.9', ''],
  'who requested a code is shown by address only if the account, and not another one, logged in or has a session there');
update "user".account a set phone_verified_at = o.created_at from actor, platform.otp_transaction o
where a.id = actor.id and o.created_at = (select min(o.created_at) from platform.otp_transaction o where o.identifier = '+12025550101');
select is((select count(*)::integer from "user".account a, private.export_rows(a, 9) r
  where a.id = (select id from actor) and r.section = 'one_time_passwords' and r.content ->> 'purpose' = 'LOGIN'), 2,
  'a code from the very moment in which the phone was verified is');
-- Earlier phones
select private.remember_phone(actor.id, '+12025550107', null, now() - interval '9 days'),
  private.remember_phone(actor.id, '+12025550107', now() - interval '1 day', null), private.remember_phone(actor.id, '+12025550108', null, now() - interval '2 days'),
  private.remember_phone(other.id, '+12025550109', now(), null) from actor, other;
select results_eq($$select r.content ->> 'phone' from "user".account a, private.export_rows(a, 9) r
  where a.id = (select id from actor) and r.section = 'earlier_phones' order by r.n$$, array['+12025550107', '+12025550108'],
  'phones that it had or asked for are its own, the newest first');
-- Codes for a phone that the account had before
select test.clean_slate();
create temp table mover on commit drop as select test.make_account('+12025550103', verified_at => now() - interval '1 day') as id;
update "user".account a set created_at = now() - interval '9 days' from mover where a.id = mover.id;
select private.remember_phone(id, '+12025550101', now() - interval '5 days', null), private.remember_phone(id, '+12025550102', now() - interval '1 day', null),
  private.remember_phone(test.make_account('+12025550105'), '+12025550106', now(), null)
from mover;
select test.queue_otp(phone, 'PHONE', 'LOGIN', true, now() - age * interval '1 day')
from (values ('+12025550101', 10), ('+12025550101', 6), ('+12025550101', 5), ('+12025550101', 4), ('+12025550102', 6), ('+12025550102', 2),
  ('+12025550103', 0), ('+12025550106', 1)) o (phone, age);
select test.queue_otp('+12025550102', 'PHONE', 'PHONE_CHANGE', true, now() - interval '3 days', account_id => test.make_account('+12025550104'));
update platform.otp_transaction set created_at = counted_at;
select set_eq($$select r.content ->> 'identifier', ceil(extract(epoch from now() - (r.content ->> 'created_at')::timestamptz) / 86400)
  from mover, "user".account a, private.export_rows(a, 9) r where a.id = mover.id and r.section = 'one_time_passwords'$$,
  $$values ('+12025550101', 6.0), ('+12025550101', 5), ('+12025550102', 2), ('+12025550103', 0)$$, 'one-time passwords for an earlier phone are those of the time when it was the account''s');
-- Of more rows than are asked for, the newest are shown, and the newest first
select test.clean_slate();
create temp table owner on commit drop as select test.make_account('+12025550101', verified_at => now() - interval '9 days') as id;
create temp table age on commit drop as select * from unnest(array[interval '3 days', interval '1 day', interval '2 days']) with ordinality a (age, n);
select test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now() - age) from age;
select test.queue_otp('+12025550102', 'PHONE', 'PHONE_CHANGE', true, now() - age - interval '1 hour', account_id => id) from age, owner;
update platform.otp_transaction set created_at = counted_at;
insert into platform.delivery_attempt (id, otp_id, provider, channel, started_at) select private.new_id(), o.id, 'console', 'sms', o.created_at from platform.otp_transaction o;
select test.make_decision(jsonb_build_object('otp_id', o.id, 'at', o.created_at)) from platform.otp_transaction o;
insert into platform.delivery_attempt (id, otp_id, provider, channel, started_at)
  select private.new_id(), o.id, 'console', 'sms', now() - interval '23 hours' from platform.otp_transaction o where o.created_at = now() - interval '1 day';
select test.make_decision(jsonb_build_object('otp_id', o.id, 'at', now() - interval '23 hours')) from platform.otp_transaction o where o.created_at = now() - interval '1 day';
insert into private.known_client select id, '192.0.2.' || n, now() - age from age, owner;
insert into platform.guest_promotion (guest_session_id, user_id, promoted_at) select gen_random_uuid(), id, now() - age from age, owner;
insert into private.guess_count (identifier_type, identifier, purpose, guesses, first_guess_at)
  select 'PHONE', '+12025550101', (array['LOGIN', 'SIGNUP', 'PASSWORD_RESET'])[n], 1, now() - age from age;
create function pg_temp.ages(most integer) returns table (section text, ages text) language sql as $$
  select r.section, string_agg(ceil(extract(epoch from now() - coalesce(r.content ->> 'at', r.content ->> 'created_at', r.content ->> 'started_at',
    r.content ->> 'logged_in_at', r.content ->> 'promoted_at', r.content ->> 'since')::timestamptz) / 3600)::text, ' ' order by r.n)
  from owner, "user".account a, private.export_rows(a, most) r
  where a.id = owner.id and r.section not in ('rate_limits', 'earlier_phones', 'events')
  group by 1
$$;
select results_eq('select * from pg_temp.ages(2) order by 1', $$values ('delivery_attempts', '23 24'), ('guest_sessions', '24 48'), ('known_clients', '24 48'),
  ('one_time_passwords', '24 25'), ('send_decisions', '23 24'), ('wrong_codes', '24 48 72')$$, 'two of each, in hours before now');
update platform.otp_transaction set created_at = created_at - interval '8 days' where identifier = '+12025550101';
select is((select ages from pg_temp.ages(1) where section = 'one_time_passwords'), '25', 'the newest code may be one of a change of phone');
select * from finish();
rollback;
