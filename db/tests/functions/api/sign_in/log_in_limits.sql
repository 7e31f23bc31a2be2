begin;
select plan(33);
create function pg_temp.log_in(phone text, password text, client text default '192.0.2.1') returns setof api.session_answer language sql
as $$ select * from api.log_in(phone, test.prehash(password), client, 'test', null, null) $$;
select test.watch_bcrypt();
create function pg_temp.try(phone text, password text, client text) returns text language plpgsql
as $$
begin
  perform test.bcrypt_rounds();
  return (select to_jsonb(a) || jsonb_build_object('rounds', test.bcrypt_rounds()) from pg_temp.log_in(phone, password, client) a);
end
$$;

-- LOGIN_FAILURES_PER_PHONE_AND_IP
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
select is((select array_agg((error).code) from generate_series(1, 10) n, pg_temp.log_in('+12025550101', 'incorrect ' || n)),
  array_fill('INVALID_REQUEST'::text, array[10]), 'ten wrong passwords in 15 minutes get INVALID_REQUEST');
create temp table eleventh on commit drop as select * from pg_temp.log_in('+12025550101', 'correct horse');
select is((select (error).code || ((error).details - 'retryAfterSeconds') from eleventh),
  'RATE_LIMIT_EXCEEDED{"policy": "LOGIN_FAILURES_PER_PHONE_AND_IP", "seconds": 900, "requests": 10}',
  'after ten wrong passwords LOGIN_FAILURES_PER_PHONE_AND_IP refuses the right one too');
select is((select row(session_id, user_id)::text from eleventh), '(,)', 'a login that a limit refuses returns no session');
select is((select to_jsonb(a) #- '{error,details,retryAfterSeconds}' from pg_temp.log_in('+12025550101', 'incorrect') a),
  (select to_jsonb(e) #- '{error,details,retryAfterSeconds}' from eleventh e),
  'over the limit a wrong password gets the same response as the right one');
select is(test.hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1'), 10,
  'a login that a limit refuses does not count against that limit');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101') || ' ' || test.hits('LOGIN_FAILURES_PER_IP:192.0.2.1'), '10 10',
  'a login that a limit refuses does not count against the other limits');
create temp table cheap on commit drop as select pg_temp.try('+12025550101', 'correct horse', '192.0.2.1')::jsonb ->> 'rounds' as rounds;
select is((select rounds from cheap), '0', 'a login that a limit refuses costs no bcrypt');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', '192.0.2.2')), null,
  'over the limit of one client the right password still logs in from another client');
select is((select (error).code from pg_temp.log_in('+12025550102', 'correct horse')), null,
  'over the limit of one phone another phone still logs in from the same client');
select test.age_rate_limits('899 seconds');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse')), 'RATE_LIMIT_EXCEEDED',
  'one second before the window ends the right password is still refused');
select test.age_rate_limits('1 second');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse')), null,
  'when the window has ended the right password logs in');

-- LOGIN_FAILURES_PER_PHONE, which spares the right password of a known client
select test.clean_slate();
select test.make_account('+12025550101');
select pg_temp.log_in('+12025550101', 'correct horse', 'home');
select test.set_setting('LOGIN_FAILURES_PER_PHONE', '"3/60"');
select is((select array_agg((error).code) from generate_series(1, 3) n, pg_temp.log_in('+12025550101', 'incorrect', 'bot ' || n)),
  array_fill('INVALID_REQUEST'::text, array[3]), 'failures of several clients count together against LOGIN_FAILURES_PER_PHONE');
select is((select (error).details ->> 'policy' from pg_temp.log_in('+12025550101', 'incorrect', 'bot 4')), 'LOGIN_FAILURES_PER_PHONE',
  'a spent LOGIN_FAILURES_PER_PHONE refuses a wrong password of any unknown client');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', 'new place')), 'RATE_LIMIT_EXCEEDED',
  'a spent LOGIN_FAILURES_PER_PHONE refuses the right password of an unknown client');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', 'home')), null,
  'a spent LOGIN_FAILURES_PER_PHONE does not refuse the right password of a known client');
select is((select (error).code || ((error).details ->> 'policy') from pg_temp.log_in('+12025550101', 'incorrect', 'home')),
  'RATE_LIMIT_EXCEEDEDLOGIN_FAILURES_PER_PHONE',
  'a spent LOGIN_FAILURES_PER_PHONE refuses a wrong password of a known client');
select is((select to_jsonb(a) #- '{error,details,retryAfterSeconds}' from pg_temp.log_in('+12025550101', 'incorrect', 'home') a),
  (select to_jsonb(a) #- '{error,details,retryAfterSeconds}' from pg_temp.log_in('+12025550101', 'incorrect', 'bot 4') a),
  'a wrong password gets the same response at a known client as at an unknown one');
select is((pg_temp.try('+12025550101', 'incorrect', 'home')::jsonb ->> 'rounds')::integer,
  (pg_temp.try('+12025550199', 'incorrect', 'home')::jsonb ->> 'rounds')::integer,
  'from a known client a wrong password costs the same bcrypt work for every phone');
update private.known_client set logged_in_at = now() - interval '30 days';
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', 'home')), 'RATE_LIMIT_EXCEEDED',
  'a client whose last login was 30 days ago is no longer known');
update private.known_client set logged_in_at = now() - interval '30 days' + interval '1 minute';
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', 'home')), null,
  'a client whose last login was a minute less than 30 days ago is known');
select test.set_setting('LOGIN_FAILURES_PER_PHONE', '"off"');
select is((select (error).code from pg_temp.log_in('+12025550101', 'incorrect', 'bot 5')), 'INVALID_REQUEST',
  'a spent limit no longer refuses once it is turned off');

-- LOGIN_FAILURES_PER_IP
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
select pg_temp.log_in('+12025550102', 'correct horse');
select test.set_setting('LOGIN_FAILURES_PER_IP', '"3/60"');
select is((select array_agg((error).code) from generate_series(1, 3) n, pg_temp.log_in('+1202555020' || n, 'incorrect')),
  array_fill('INVALID_REQUEST'::text, array[3]),
  'failures of one client for several phones count together against LOGIN_FAILURES_PER_IP');
select is((select (error).details ->> 'policy' from pg_temp.log_in('+12025550101', 'correct horse')), 'LOGIN_FAILURES_PER_IP',
  'a spent LOGIN_FAILURES_PER_IP refuses the right password for a phone that never logged in there');
select is((select (error).code from pg_temp.log_in('+12025550102', 'correct horse')), null,
  'a spent LOGIN_FAILURES_PER_IP does not refuse the right password of an account for which the client is known');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse', '192.0.2.2')), null,
  'a spent LOGIN_FAILURES_PER_IP does not refuse another client');

-- LOGINS_PER_PHONE
select test.clean_slate();
select test.make_account('+12025550101');
select is((select array_agg(distinct coalesce((error).code, 'ok'))
    from generate_series(1, 30) n, pg_temp.log_in('+12025550101', 'correct horse', 'client ' || n)),
  array['ok'], 'thirty logins of a phone in five minutes succeed');
select is((select (error).code || ((error).details - 'retryAfterSeconds') from pg_temp.log_in('+12025550101', 'correct horse', 'client 1')),
  'RATE_LIMIT_EXCEEDED{"policy": "LOGINS_PER_PHONE", "seconds": 300, "requests": 30}',
  'LOGINS_PER_PHONE refuses the 31st login in five minutes, whatever the client');
select is((select array_agg((error).code)
    from (values ('stranger'), ('client 1')) c (client), pg_temp.log_in('+12025550101', 'incorrect', client)),
  array_fill('INVALID_REQUEST'::text, array[2]),
  'a spent LOGINS_PER_PHONE is not revealed to a wrong password, neither of a known nor of an unknown client');
select test.age_rate_limits('300 seconds');
select is((select (error).code from pg_temp.log_in('+12025550101', 'correct horse')), null,
  'when the window has ended the right password logs in again');

-- A hash that a login would renew, from an address that another account's user made known
select test.clean_slate();
select test.make_account('+12025550101');
select private.remember_client(test.make_account('+12025550102'), '192.0.2.50');
select test.import_account('+12025550103');
select test.set_setting('PASSWORD_HASH_COST', '5');
select test.insert_hits('LOGIN_FAILURES_PER_IP:192.0.2.50', variadic array_fill(clock_timestamp(), array[100]));
create function pg_temp.refusal(phone text, password text) returns text language plpgsql
as $$
declare
  v_code text;
begin
  perform test.bcrypt_rounds();
  v_code := (select (a.error).details ->> 'policy' from api.log_in(phone, test.prehash(password), '192.0.2.50', 'test', null, null, test.foreign_prehash(password)) a);
  return v_code || ' after ' || test.bcrypt_rounds();
end
$$;
select is(pg_temp.refusal(phone, 'correct horse'), pg_temp.refusal(phone, 'incorrect'),
  'while a wide limit is spent, the right password of ' || phone || ' takes the work of a wrong one, although a login would renew its hash')
from (values ('+12025550101'), ('+12025550103')) p (phone);

-- A limit that other requests spend during the comparison. The replaced comparison takes the place of these requests.
select test.clean_slate();
select test.make_account('+12025550101');
create or replace function private.compare_password(password_prehash text, password_hash text) returns boolean language plpgsql
as $$ begin
  perform test.insert_hits('LOGIN_FAILURES_PER_IP:192.0.2.1', variadic array_fill(clock_timestamp(), array[100]));
  return password_prehash = test.prehash('correct horse');
end $$;
select is((select (error).details ->> 'policy' from pg_temp.log_in('+12025550101', 'correct horse')), 'LOGIN_FAILURES_PER_IP',
  'a limit that is spent during the comparison refuses the right password');
delete from platform.rate_limit;
select is((select (error).details ->> 'policy' from pg_temp.log_in('+12025550101', 'incorrect')), 'LOGIN_FAILURES_PER_IP',
  'a limit that is spent during the comparison refuses a wrong password');

select * from finish();
rollback;
