begin;
select plan(25);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550102');
create function pg_temp.log_in(phone text, password text, client text default '192.0.2.1') returns setof api.session_answer language sql
as $$ select * from api.log_in(phone, test.prehash(password), client, 'test', null, null) $$;

-- The right password
create temp table session on commit drop as select * from test.call_as('latchkey_server',
  $$api.log_in('+12025550101', test.prehash('correct horse'), '192.0.2.1', 'test', null, null)$$, null::api.session_answer);
select is((select (error).code from session), null, 'the right phone and password log in');
select is((select row(user_id, user_type, role)::text from session),
  (select row(id, 'user', 'user')::text from "user".account where phone = '+12025550101'),
  'the session belongs to the phone''s account');
select is((select id from "user".session), (select session_id from session), 'a login stores one session');
select is((select client from private.known_client), '192.0.2.1', 'a login makes the client a known client');
select is((select jsonb_object_agg(key, totals[cardinality(totals)]) from platform.rate_limit), (select jsonb_build_object('LOGINS_PER_PHONE:' || a.id, 1) from "user".account a where a.phone = '+12025550101'),
  'a successful login counts against LOGINS_PER_PHONE and against no limit of failures');
delete from platform.rate_limit;

-- Refused logins get one response after the same bcrypt work
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
  row('INVALID_REQUEST', '{"reason": "login_refused"}'::jsonb)::text,
  'a wrong password is refused with the reason login_refused');
select is((select answer from refusal where who = 'an unknown phone'), (select answer from refusal where who = 'a wrong password'),
  'an unknown phone gets the same response as a wrong password, after the same bcrypt work');
select is((select answer from refusal where who = 'an unverified account'), (select answer from refusal where who = 'a wrong password'),
  'an unverified phone gets the same response although the password is right, after the same bcrypt work');
select is((select count(*)::integer from "user".session), 1, 'refused logins open no session');
select is((select jsonb_object_agg(key, totals[cardinality(totals)]) from platform.rate_limit), '{
  "LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.2": 1, "LOGIN_FAILURES_PER_PHONE:+12025550101": 1,
  "LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550102 192.0.2.2": 1, "LOGIN_FAILURES_PER_PHONE:+12025550102": 1,
  "LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550109 192.0.2.2": 1, "LOGIN_FAILURES_PER_PHONE:+12025550109": 1,
  "LOGIN_FAILURES_PER_IP:192.0.2.2": 3
}', 'each refused login counts per phone and client, per phone, and per client');
update "user".account set password_hash = null where phone = '+12025550101';
select is(pg_temp.try('+12025550101', 'correct horse', '192.0.2.3')::jsonb, (select answer from refusal where who = 'a wrong password'),
  'an account without a password gets the same response as a wrong password, after the same bcrypt work');

-- The bcrypt work of a login
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
  'every login does the bcrypt work of the highest cost in use, whatever the account''s cost');
select test.set_setting('PASSWORD_HASH_COST', '8');
select is((pg_temp.try('+12025550103', 'incorrect', '192.0.2.1')::jsonb ->> 'rounds')::integer, 256,
  'PASSWORD_HASH_COST is one of the costs in use');

-- Re-hash
select test.set_setting('PASSWORD_HASH_COST', '6');
create temp table old on commit drop as select * from "user".account;
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse')), null,
  'a password stored at a lower cost than PASSWORD_HASH_COST logs in');
select is((select substr(password_hash, 1, 7) from "user".account where phone = '+12025550101'), '$2a$06$',
  'a login re-hashes a password stored at a lower cost at PASSWORD_HASH_COST');
select is((select (error).code from pg_temp.log_in('+12025550102', 'correct horse')), null,
  'a password stored at a higher cost than PASSWORD_HASH_COST logs in');
select is((select substr(password_hash, 1, 7) from "user".account where phone = '+12025550102'), '$2a$06$',
  'a login re-hashes a password stored at a higher cost at PASSWORD_HASH_COST');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse')), null,
  'after the re-hash the same password logs in');
select is((select (error).code from pg_temp.log_in('+12025550103', 'incorrect')), 'INVALID_REQUEST',
  'a wrong password for a hash at another cost is refused');
select is((select password_hash from "user".account where phone = '+12025550103'),
  (select password_hash from old where phone = '+12025550103'),
  'a wrong password re-hashes nothing');

-- A reset during the comparison. The replaced comparison takes the place of the reset's connection.
select test.clean_slate();
select test.make_account('+12025550101');
create or replace function private.compare_password(password_prehash text, password_hash text) returns boolean language plpgsql
as $$ begin update "user".account set password_hash = private.hash_password(test.prehash('new')); return true; end $$;
select is((select (error).code || (error).details from pg_temp.log_in('+12025550101', 'correct horse')),
  'INVALID_REQUEST{"reason": "login_refused"}',
  'a login with the old password is refused when a reset changes it during the comparison');
select is((select count(*)::integer from "user".session), 0, 'a login that a reset overtakes opens no session');
select is((select count(*)::integer from platform.rate_limit where key like 'LOGIN_FAILURES%'), 0,
  'a login that a reset overtakes does not count as a failure');

select is((l.error).code, 'SESSION_NOT_FOUND', 'a guest session that does not exist is refused before the password is compared')
from api.log_in('+12025550101', test.prehash('wrong'), '192.0.2.99', 'test', null, private.new_id()) l;
select is((api.log_in('12025550101', test.prehash('x'), '192.0.2.1', null, null, null)).error, private.error('INVALID_IDENTIFIER', '{"field": "phone"}'), 'a malformed phone is refused');

select * from finish();
rollback;
