begin;
select plan(18);

-- Contested registrations, in every order
select test.clean_slate();
create function pg_temp.contest(phone text, variadic passwords text[]) returns "user".account language plpgsql
as $$
declare
  v_account "user".account;
  v_password text;
begin
  foreach v_password in array passwords loop
    perform api.register(phone, v_password || '@example.org', test.prehash(v_password), 8, false, 'everybody''s proxy');
  end loop;
  perform api.verify_registration(phone, test.send_code(phone, 'SIGNUP'), test.code_key(), 'everybody''s proxy', null, 'test', null, null);
  select a.* into v_account from "user".account a where a.phone = contest.phone;
  return v_account;
end
$$;
create temp table contest on commit drop as
select * from (values
  ('+12025550111', pg_temp.contest('+12025550111', 'mine', 'theirs')),
  ('+12025550112', pg_temp.contest('+12025550112', 'theirs', 'mine')),
  ('+12025550113', pg_temp.contest('+12025550113', 'mine', 'theirs', 'mine')),
  ('+12025550114', pg_temp.contest('+12025550114', 'theirs', 'mine', 'theirs')),
  ('+12025550115', pg_temp.contest('+12025550115', 'mine', 'theirs', 'theirs', 'theirs', 'theirs', 'theirs', 'theirs')),
  ('+12025550116', pg_temp.contest('+12025550116', 'mine', 'mine'))
) c (phone, account);
select is((select (account).password_hash from contest where phone = '+12025550111'), null,
  'a registration sets no password when a second one has another password, though both came from one address');
select is((select (account).password_hash from contest where phone = '+12025550112'), null,
  'a registration sets no password when an earlier one has another password');
select is((select (account).password_hash from contest where phone = '+12025550113'), null,
  'registering again with the first password does not end the contest');
select is((select (account).password_hash from contest where phone = '+12025550114'), null,
  'whichever password is registered again, the contest does not end');
select is((select (account).password_hash from contest where phone = '+12025550115'), null,
  'displacing the other registration does not end the contest');
select ok((select (account).password_hash = crypto.crypt(test.prehash('mine'), (account).password_hash) from contest
  where phone = '+12025550116'), 'two registrations with the same password are not contested');
select is((select array_agg((account).email order by phone) from contest),
  array[null, null, null, null, null, 'mine@example.org'], 'a contested registration sets no email');
select ok((select bool_and((account).phone_verified_at is not null) from contest), 'a contested registration verifies the phone');
select is((select count(*)::integer from "user".session), 6, 'a contested registration opens a session');
select is((select count(*)::integer from private.pending_registration), 0,
  'verifying deletes all pending registrations of the phone');
select is((api.log_in('+12025550112', test.prehash(password), '192.0.2.1', 'test', null, null)).error.code, 'INVALID_REQUEST',
  'a password of a contested registration does not log in: ' || password)
from (values ('mine'), ('theirs')) p (password);

-- A registration named by its user id
select test.clean_slate();
create function pg_temp.verify(phone text, otp text, client text default '192.0.2.1', user_id uuid default null)
returns setof api.session_answer language sql
as $$ select * from api.verify_registration(phone, otp, test.code_key(), client, user_id, 'test', null, null) $$;
create temp table mine on commit drop as
  select (api.register('+12025550121', 'mine@example.org', test.prehash('mine'), 8, false, '192.0.2.1')).user_id;
create temp table theirs on commit drop as
  select (api.register('+12025550121', 'theirs@example.org', test.prehash('theirs'), 8, false, '192.0.2.1')).user_id;
create temp table elsewhere on commit drop as
  select (api.register('+12025550122', null, test.prehash('mine'), 8, false, '192.0.2.1')).user_id;
create temp table named on commit drop as select test.send_code('+12025550121', 'SIGNUP') as code;
select is((select (v.error).code from named, elsewhere, pg_temp.verify('+12025550121', code, '192.0.2.1', user_id) v), 'INVALID_OTP',
  'a user id that is no registration of the phone gets INVALID_OTP');
select is((test.otp('+12025550121', 'SIGNUP')).attempts, 1, 'a user id that is no registration of the phone costs an attempt');
select is((select v.user_id from named, mine, pg_temp.verify('+12025550121', code, '192.0.2.1', mine.user_id) v),
  (select user_id from mine),
  'a registration named by its user id is confirmed although it is contested');
select is((select row(id, email)::text from "user".account where phone = '+12025550121'),
  (select row(user_id, 'mine@example.org')::text from mine),
  'a registration named by its user id sets its email');
select is((api.log_in('+12025550121', test.prehash('mine'), '192.0.2.1', 'test', null, null)).error.code, null,
  'the password of the named registration logs in');
select is((api.log_in('+12025550121', test.prehash('theirs'), '192.0.2.1', 'test', null, null)).error.code, 'INVALID_REQUEST',
  'the password of another registration does not log in');

select * from finish();
rollback;
