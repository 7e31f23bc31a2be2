begin;
select plan(37);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
create temp table own on commit drop as select s.* from "user".account a, generate_series(1, 2) n, test.open_session(case when n > 0 then a.id end) s
  where a.phone = '+12025550101';
create temp table caller on commit drop as select session_id, user_id from own limit 1;
create temp table other on commit drop as select s.session_id, s.user_id from "user".account a, test.open_session(a.id) s where a.phone = '+12025550102';
create function pg_temp.change(phone text, otp text, client text default '192.0.2.1') returns setof api.phone_change_answer language sql
as $$ select a.* from caller c, api.change_phone(c.session_id, c.user_id, phone, otp, test.code_key(), client, '{de}') a $$;
create function pg_temp.send(phone text, user_id uuid) returns text language sql as $$ select test.send_code(phone, 'PHONE_CHANGE', user_id) $$;
create function pg_temp.phones() returns text[] language sql as $$ select array_agg(a.phone order by a.phone) from "user".account a $$;

-- Two accounts that ask for one number have a code each
create temp table code on commit drop as
  select (select pg_temp.send('+12025550103', user_id) from caller) as own, (select pg_temp.send('+12025550103', user_id) from other) as others;
select is((select (error).code from code, pg_temp.change('+12025550103', case when own = others then test.wrong_code(own) else others end)), 'INVALID_OTP', 'a code that another account asked for is a wrong one');
select is((select array_agg(attempts order by account_id = user_id) from platform.otp_transaction, caller), array[0, 1], 'a wrong code costs an attempt of the own code, not of the other account''s');
select is((select count(*)::integer from private.guess_count g join caller c on c.user_id = g.account_id), 1, 'guesses are counted per account');
select is((select (l.error).code from code, api.log_in_by_otp('+12025550103', own, test.code_key(), '192.0.2.7', null, null, null, null) l), 'INVALID_OTP', 'the code does not log in');
select is((select (r.error).code from code, api.reset_password('+12025550103', own, test.code_key(), test.prehash('n'), 12, false, '192.0.2.7') r), 'INVALID_OTP', 'the code does not reset a password');
select is((select (v.error).code from code, api.verify_registration('+12025550103', own, test.code_key(), '192.0.2.7', null, null, null, null) v), 'INVALID_OTP', 'the code does not verify a registration');
select is((select (a.error).code from (select test.send_code('+12025550103', purpose) as code) s, pg_temp.change('+12025550103', code, '192.0.2.8') a), 'INVALID_OTP',
  'a code of purpose ' || purpose || ' changes no phone')
from unnest(array['LOGIN', 'SIGNUP', 'PASSWORD_RESET']) purpose;
select is((select (a.error).code from code, other c, api.change_phone(gen_random_uuid(), c.user_id, '+12025550103', others, test.code_key(), '192.0.2.1') a), 'SESSION_NOT_FOUND', 'without a session no phone is changed');
select is((select (a.error).code from code, other c, api.change_phone(gen_random_uuid(), c.user_id, '+12025550103', test.wrong_code(others), test.code_key(), '192.0.2.1') a), 'SESSION_NOT_FOUND',
  'without a session no code is compared');
select is((select a.error from pg_temp.change('12025550103', '123456') a), private.error('INVALID_IDENTIFIER', '{"field": "newPhone"}'), 'a malformed phone is refused');
select is(pg_temp.phones(), array['+12025550101', '+12025550102'], 'until then nothing has changed');

-- The right code
select private.remember_client(user_id, '192.0.2.1') from caller;
select test.make_registration('+12025550103');
insert into platform.rate_limit (key) select 'LOGIN_FAILURES_PER_PHONE:' || p from unnest(array['+12025550101', '+12025550102', '+12025550103']) p
union all select 'LOGINS_PER_PHONE:' || user_id from caller;
update "user".account set phone_verified_at = phone_verified_at - interval '1 year';
create temp table answer on commit drop as select a.* from code, caller c, test.call_as('latchkey_server', format(
  $$api.change_phone(%L, %L, '+12025550103', %L, test.code_key(), '192.0.2.1', '{de}')$$, c.session_id, c.user_id, own), null::api.phone_change_answer) a;
select is((select to_jsonb(answer) from answer), '{"error": null, "phone_change_due_at": null}', 'the right code changes the phone');
select is((select a.phone from "user".account a join caller c on c.user_id = a.id), '+12025550103', 'the account has the new phone');
select ok((select a.phone_verified_at >= now() and a.updated_at >= now() from "user".account a join caller c on c.user_id = a.id), 'the new phone was verified now');
select is((select s.revoked_at from "user".session s join caller c on c.session_id = s.id), null, 'the session of the request stays live');
select is((select count(*)::integer from "user".session s join own o on o.session_id = s.id where s.revoked_at is not null), 1, 'every other session of the user is revoked');
select is((select count(*)::integer from "user".session s where s.revoked_at is not null), 1, 'no session of another user is revoked');
select is((select count(*)::integer from private.known_client k join caller c on c.user_id = k.account_id), 0, 'its known clients are forgotten');
select set_eq($$select key from platform.rate_limit where key like 'LOGIN%'$$, array['LOGIN_FAILURES_PER_PHONE:+12025550102'] || array(select 'LOGINS_PER_PHONE:' || user_id from caller),
  'the failed logins of both phones are cleared, not its logins, and no other');
select is((select count(*)::integer from private.pending_registration), 0, 'registrations that wait for the new phone are deleted');
select is((select row(n.identifier, n.account_id, n.awaited, n.delivery, n.code_hash, n.counted_at is not null, n.languages)::text from test.otp('+12025550101', 'PHONE_CHANGED') n),
  (select row('+12025550101', user_id, false, 'queued', null, true, '{de}'::text[])::text from caller), 'a notice to the old phone is queued, without a code');
select is((select count(*)::integer from platform.otp_transaction where purpose = 'PHONE_CHANGED'), 1, 'one notice');
select is((select (a.error).code from code, pg_temp.change('+12025550103', own, '192.0.2.2') a), 'OTP_ALREADY_USED', 'the code changes nothing again');
select is((api.log_in('+12025550101', test.prehash('correct horse'), '192.0.2.9', null, null, null)).error.details ->> 'reason', 'login_refused', 'the old phone no longer logs in');
select is((api.log_in('+12025550103', test.prehash('correct horse'), '192.0.2.9', null, null, null)).error.code, null, 'the new phone logs in');

-- The other account has asked for the same phone
select is((select (a.error).code || (a.error).details from code, other c, api.change_phone(c.session_id, c.user_id, '+12025550103', others, test.code_key(), '192.0.2.3') a),
  'INVALID_REQUEST{"reason": "already_registered"}', 'the right code for a phone that has an account gets the reason already_registered');
select isnt((select verified_at from platform.otp_transaction o join other c on c.user_id = o.account_id), null, 'and is used');
select is(pg_temp.phones(), array['+12025550102', '+12025550103'], 'and nothing changes');
select is((select count(*)::integer from platform.otp_transaction where purpose = 'PHONE_CHANGED'), 1, 'a refused change queues no notice');
create temp table same on commit drop as select pg_temp.send('+12025550103', user_id) as code from caller;
select is((select (a.error).details ->> 'reason' from same, pg_temp.change('+12025550103', code, '192.0.2.4') a), 'already_registered', 'the phone that the account has already counts as registered, too');

-- A recycled phone
select test.recycle('+12025550102');
create temp table recycled on commit drop as select pg_temp.send('+12025550102', user_id) as code from caller;
select is((select (a.error).code from recycled, pg_temp.change('+12025550102', code, '192.0.2.5') a), null, 'a recycled phone is taken from its old account');
select is(pg_temp.phones(), array['+12025550102', null], 'which keeps none');

-- A session that ended meanwhile
create temp table late on commit drop as select pg_temp.send('+12025550104', user_id) as code from caller;
select private.revoke_session(session_id) from caller;
select is((select (a.error).code from late, pg_temp.change('+12025550104', code, '192.0.2.6') a), 'SESSION_REVOKED', 'a revoked session changes no phone');
create temp table later on commit drop as select s.session_id, s.user_id, pg_temp.send('+12025550105', s.user_id) as code
from other o, test.open_session(o.user_id) s;
create or replace function private.replace_phone(session_id uuid, user_id uuid, new_phone text, otp_id uuid, languages text[], client text) returns api.error language sql
as $$ select private.error('SESSION_REVOKED') $$;
select is((select (a.error).code from later l, api.change_phone(l.session_id, l.user_id, '+12025550105', l.code, test.code_key(), '192.0.2.10') a), 'SESSION_REVOKED',
  'a session that is revoked after the code was compared changes no phone');
select is((test.otp('+12025550105', 'PHONE_CHANGE')).verified_at, null, 'the code of a revoked session is not used');

select * from finish();
rollback;
