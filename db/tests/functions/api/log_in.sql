begin;
select plan(54);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550102');
create function pg_temp.log_in(phone text, password text, client text default '192.0.2.1') returns setof api.session_answer language sql
as $$ select * from api.log_in(phone, test.prehash(password), client) $$;

-- The right password
create temp table session on commit drop as select * from test.call_as('latchkey_server',
  $$api.log_in('+12025550101', test.prehash('correct horse'), '192.0.2.1')$$, null::api.session_answer);
select is((select (error).code from session), null, 'phone and password log in');
select is((select row(user_id, user_type, role)::text from session),
  (select row(id, 'user', 'user')::text from "user".account where phone = '+12025550101'), 'as the user of the phone');
select is((select id from "user".session), (select session_id from session), 'a session is opened');
select is((select client from private.known_client), '192.0.2.1', 'the client is known from now on');
select is((select jsonb_object_agg(key, totals[cardinality(totals)]) from platform.rate_limit), '{"LOGINS_PER_PHONE:+12025550101": 1}',
  'a login that succeeds counts as a login, and as no failure');
delete from platform.rate_limit;

-- Refusals, word for word and at the same cost
select test.watch_bcrypt();
create function pg_temp.try(phone text, password text, client text) returns text language plpgsql
as $$
begin
  perform test.bcrypt_rounds();
  return (select to_jsonb(a) || jsonb_build_object('rounds', test.bcrypt_rounds()) from pg_temp.log_in(phone, password, client) a);
end
$$;
create temp table refusal on commit drop as
select who, pg_temp.try(phone, password, '192.0.2.2')::jsonb as answer from (values
  ('a wrong password', '+12025550101', 'incorrect'),
  ('an unknown phone', '+12025550109', 'correct horse'),
  ('an unverified account', '+12025550102', 'correct horse')
) t (who, phone, password);
select is((select row(answer #>> '{error,code}', answer #> '{error,details}')::text from refusal where who = 'a wrong password'),
  row('INVALID_REQUEST', '{"reason": "login_refused"}'::jsonb)::text, 'a wrong password is refused');
select is((select answer from refusal where who = 'an unknown phone'), (select answer from refusal where who = 'a wrong password'),
  'an unknown phone word for word alike, after the same work');
select is((select answer from refusal where who = 'an unverified account'), (select answer from refusal where who = 'a wrong password'),
  'an unverified account likewise, with the right password');
select is((select count(*)::integer from "user".session), 1, 'none of them opens a session');
select is((select jsonb_object_agg(key, totals[cardinality(totals)]) from platform.rate_limit), '{
  "LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.2": 1, "LOGIN_FAILURES_PER_PHONE:+12025550101": 1,
  "LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550102 192.0.2.2": 1, "LOGIN_FAILURES_PER_PHONE:+12025550102": 1,
  "LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550109 192.0.2.2": 1, "LOGIN_FAILURES_PER_PHONE:+12025550109": 1,
  "LOGIN_FAILURES_PER_IP:192.0.2.2": 3
}', 'each is counted alike: for phone and client, for the phone, for the client');
update "user".account set password_hash = null where phone = '+12025550101';
select is(pg_temp.try('+12025550101', 'correct horse', '192.0.2.3')::jsonb, (select answer from refusal where who = 'a wrong password'),
  'an account without a password likewise');

-- The work of the highest cost in use
select test.clean_slate();
select test.set_setting('PASSWORD_HASH_COST', '5');
select test.make_account('+12025550101');
select test.set_setting('PASSWORD_HASH_COST', '7');
select test.make_account('+12025550102');
select test.set_setting('PASSWORD_HASH_COST', '4');
select test.make_account('+12025550103');
create temp table work on commit drop as
select phone, (pg_temp.try(phone, 'incorrect', '192.0.2.1')::jsonb ->> 'rounds')::integer as rounds
from (values ('+12025550101'), ('+12025550102'), ('+12025550103'), ('+12025550109')) p (phone);
select is((select array_agg(rounds) from work), array[128, 128, 128, 128],
  'every login does the work of the highest cost in use, whatever its account''s');
select test.set_setting('PASSWORD_HASH_COST', '8');
select is((pg_temp.try('+12025550103', 'incorrect', '192.0.2.1')::jsonb ->> 'rounds')::integer, 256, 'the setting is in use too');

-- Re-hash
select test.set_setting('PASSWORD_HASH_COST', '6');
create temp table old on commit drop as select * from "user".account;
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse')), null, 'a password stored at another cost logs in');
select is((select substr(password_hash, 1, 7) from "user".account where phone = '+12025550101'), '$2a$06$',
  'and is stored at PASSWORD_HASH_COST from then on');
select is((select (error).code from pg_temp.log_in('+12025550102', 'correct horse')), null, 'also one stored at a higher cost');
select is((select substr(password_hash, 1, 7) from "user".account where phone = '+12025550102'), '$2a$06$', 'which is lowered');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse')), null, 'the password stays the same');
select is((select (error).code from pg_temp.log_in('+12025550103', 'incorrect')), 'INVALID_REQUEST', 'a wrong one is refused');
select is((select password_hash from "user".account where phone = '+12025550103'), (select password_hash from old where phone = '+12025550103'),
  'and re-hashes nothing');

-- LOGIN_FAILURES_PER_PHONE_AND_IP
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
select is((select array_agg((error).code) from generate_series(1, 10) n, pg_temp.log_in('+12025550101', 'incorrect ' || n)),
  array_fill('INVALID_REQUEST'::text, array[10]), 'ten wrong passwords in a quarter of an hour are refused as such');
create temp table eleventh on commit drop as select * from pg_temp.log_in('+12025550101', 'correct horse');
select is((select (error).code || ((error).details - 'retryAfterSeconds') from eleventh),
  'RATE_LIMIT_EXCEEDED{"policy": "LOGIN_FAILURES_PER_PHONE_AND_IP", "seconds": 900, "requests": 10}',
  'after that the right one is refused too, by the limit');
select is((select row(session_id, user_id)::text from eleventh), '(,)', 'without a session');
select is((select to_jsonb(a) #- '{error,details,retryAfterSeconds}' from pg_temp.log_in('+12025550101', 'incorrect') a),
  (select to_jsonb(e) #- '{error,details,retryAfterSeconds}' from eleventh e), 'and a wrong one alike');
select is(test.hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1'), 10, 'what a limit refuses counts no more');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101') || ' ' || test.hits('LOGIN_FAILURES_PER_IP:192.0.2.1'), '10 10',
  'against no limit');
create temp table cheap on commit drop as select pg_temp.try('+12025550101', 'correct horse', '192.0.2.1')::jsonb ->> 'rounds' as rounds;
select is((select rounds from cheap), '0', 'and costs no hash');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', '192.0.2.2')), null,
  'a stranger at another address does not lock the owner out');
select is((select (error).code from pg_temp.log_in('+12025550102', 'correct horse')), null, 'nor is another phone locked out of this address');
select test.age_rate_limits('899 seconds');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse')), 'RATE_LIMIT_EXCEEDED',
  'a second before the window ends it is still spent');
select test.age_rate_limits('1 second');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse')), null, 'then the right password logs in');

-- LOGIN_FAILURES_PER_PHONE: for clients the account never logged in from
select test.clean_slate();
select test.make_account('+12025550101');
select pg_temp.log_in('+12025550101', 'correct horse', 'home');
select test.set_setting('LOGIN_FAILURES_PER_PHONE', '"3/60"');
select is((select array_agg((error).code) from generate_series(1, 3) n, pg_temp.log_in('+12025550101', 'incorrect', 'bot ' || n)),
  array_fill('INVALID_REQUEST'::text, array[3]), 'failures of many clients count together for the phone');
select is((select (error).details ->> 'policy' from pg_temp.log_in('+12025550101', 'incorrect', 'bot 4')), 'LOGIN_FAILURES_PER_PHONE',
  'until the limit refuses any further client');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', 'new place')), 'RATE_LIMIT_EXCEEDED',
  'also with the right password');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', 'home')), null,
  'but not a client from which the account logged in before');
select is((select (error).code || ((error).details ->> 'policy') from pg_temp.log_in('+12025550101', 'incorrect', 'home')), 'RATE_LIMIT_EXCEEDEDLOGIN_FAILURES_PER_PHONE',
  'a wrong password is answered there as to every stranger');
select is((select to_jsonb(a) #- '{error,details,retryAfterSeconds}' from pg_temp.log_in('+12025550101', 'incorrect', 'home') a),
  (select to_jsonb(a) #- '{error,details,retryAfterSeconds}' from pg_temp.log_in('+12025550101', 'incorrect', 'bot 4') a), 'word for word');
select is((pg_temp.try('+12025550101', 'incorrect', 'home')::jsonb ->> 'rounds')::integer, (pg_temp.try('+12025550199', 'incorrect', 'home')::jsonb ->> 'rounds')::integer,
  'and, at that address, after the same work as for a phone that never logged in there');
update private.known_client set logged_in_at = now() - interval '30 days';
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', 'home')), 'RATE_LIMIT_EXCEEDED',
  'a client not seen for 30 days is a stranger again');
update private.known_client set logged_in_at = now() - interval '30 days' + interval '1 second';
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', 'home')), null, 'a second earlier it is not');
select test.set_setting('LOGIN_FAILURES_PER_PHONE', '"off"');
select is((select (error).code from pg_temp.log_in('+12025550101', 'incorrect', 'bot 5')), 'INVALID_REQUEST',
  'a limit turned off by SQL bites no more');

-- LOGIN_FAILURES_PER_IP
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
select pg_temp.log_in('+12025550102', 'correct horse');
select test.set_setting('LOGIN_FAILURES_PER_IP', '"3/60"');
select is((select array_agg((error).code) from generate_series(1, 3) n, pg_temp.log_in('+1202555020' || n, 'incorrect')),
  array_fill('INVALID_REQUEST'::text, array[3]), 'failures of one client count together, whichever phones it tries');
select is((select (error).details ->> 'policy' from pg_temp.log_in('+12025550101', 'correct horse')), 'LOGIN_FAILURES_PER_IP',
  'until the limit refuses it every phone');
select is((select (error).code from pg_temp.log_in('+12025550102', 'correct horse')), null, 'that it did not log in to before');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', '192.0.2.2')), null, 'another client is not bound');

-- LOGINS_PER_PHONE
select test.clean_slate();
select test.make_account('+12025550101');
select is((select array_agg(distinct coalesce((error).code, 'ok')) from generate_series(1, 30) n, pg_temp.log_in('+12025550101', 'correct horse', 'client ' || n)),
  array['ok'], 'thirty logins in five minutes are let in');
select is((select (error).code || ((error).details - 'retryAfterSeconds') from pg_temp.log_in('+12025550101', 'correct horse', 'client 1')),
  'RATE_LIMIT_EXCEEDED{"policy": "LOGINS_PER_PHONE", "seconds": 300, "requests": 30}', 'the next is refused, whatever the client');
select is((select array_agg((error).code) from (values ('stranger'), ('client 1')) c (client), pg_temp.log_in('+12025550101', 'incorrect', client)),
  array_fill('INVALID_REQUEST'::text, array[2]), 'a wrong password learns nothing of it, from wherever');
select test.age_rate_limits('300 seconds');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse')), null, 'until the window has moved on');

-- The stored hash is no longer the one compared: a reset beside the login
select test.clean_slate();
select test.make_account('+12025550101');
create or replace function private.compare_password(password_prehash text, password_hash text) returns boolean language plpgsql
as $$ begin update "user".account set password_hash = private.hash_password(test.prehash('new')); return true; end $$;
select is((select (error).code || (error).details from pg_temp.log_in('+12025550101', 'correct horse')), 'INVALID_REQUEST{"reason": "login_refused"}',
  'a login with the old password does not survive a reset beside it');
select is((select count(*)::integer from "user".session), 0, 'and opens no session');
select is((select count(*)::integer from platform.rate_limit where key like 'LOGIN_FAILURES%'), 0, 'nor does it count as a failure');

-- A limit spent while the hash was at work
create or replace function private.compare_password(password_prehash text, password_hash text) returns boolean language plpgsql
as $$ begin
  perform test.insert_hits('LOGIN_FAILURES_PER_IP:192.0.2.1', variadic array_fill(clock_timestamp(), array[100]));
  return password_prehash = test.prehash('correct horse');
end $$;
select is((select (error).details ->> 'policy' from pg_temp.log_in('+12025550101', 'correct horse')), 'LOGIN_FAILURES_PER_IP',
  'where a limit was spent meanwhile the right password is refused by it');
delete from platform.rate_limit;
select is((select (error).details ->> 'policy' from pg_temp.log_in('+12025550101', 'incorrect')), 'LOGIN_FAILURES_PER_IP', 'and a wrong one alike');

select * from finish();
rollback;
