begin;
select plan(51);
select test.clean_slate();
create function pg_temp.verify(phone text, otp text, client text default '192.0.2.1', user_id uuid default null) returns setof api.session_answer language sql
as $$ select * from api.verify_registration(phone, otp, test.code_key(), client, user_id) $$;

-- The right code
create temp table registration on commit drop as
  select * from api.register('+12025550101', 'someone@example.org', test.prehash('correct horse'), 13, false, '192.0.2.1');
create temp table code on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
create temp table session on commit drop as select a.* from code, test.call_as('latchkey_server',
  format($$api.verify_registration('+12025550101', %L, test.code_key(), '192.0.2.1', null)$$, code), null::api.session_answer) a;
select is((select (error).code from session), null, 'the right code confirms a registration');
select is((select row(user_id, user_type, role)::text from session), (select row(user_id, 'user', 'user')::text from registration),
  'and opens a session of the id that registering answered');
select is((select s.id from "user".session s), (select session_id from session), 'which is stored');
select isnt((select phone_verified_at from "user".account), null, 'the phone is verified');
select is((select email from "user".account), 'someone@example.org', 'the email stays');
select ok((select password_hash = crypto.crypt(test.prehash('correct horse'), password_hash) from "user".account), 'so does the password');
select isnt((test.otp('+12025550101', 'SIGNUP')).verified_at, null, 'the code is used');
select is((select client from private.known_client), '192.0.2.1', 'the client is known from now on');

select is((select (error).code from code, pg_temp.verify('+12025550101', code)), 'OTP_ALREADY_USED', 'a code verifies once');
select is((select count(*)::integer from "user".session), 1, 'and opens one session');

-- Already registered
create temp table stored on commit drop as select * from "user".account;
create temp table known on commit drop as
  select v.* from (select test.send_code('+12025550101', 'SIGNUP') as code) sent, pg_temp.verify('+12025550101', code) v;
select is((select (error).code || (error).details from known), 'INVALID_REQUEST{"reason": "already_registered"}',
  'the holder of a registered phone is told that it is registered');
select is((select session_id from known), null, 'without a session');
select isnt((test.otp('+12025550101', 'SIGNUP')).verified_at, null, 'which uses the code up');
select results_eq('select * from "user".account', 'select * from stored', 'and changes nothing of the account');
select is((select (v.error).code from (select test.send_code('+12025550101', 'SIGNUP') as code) sent,
  pg_temp.verify('+12025550101', test.another(code), '192.0.2.2') v), 'INVALID_OTP', 'a wrong code learns nothing of it');

-- Nobody registered: word for word the answers of a registered phone, until the right code
select test.clean_slate();
select api.register('+12025550102', null, test.prehash('correct horse'), 13, false, '192.0.2.1');
create temp table sent on commit drop as
  select phone, test.send_code(phone, 'SIGNUP') as code from (values ('+12025550102'), ('+12025550103')) p (phone);
create temp table guess on commit drop as
  select phone, n, v.* from sent, generate_series(1, 6) n,
    pg_temp.verify(phone, case when n = 6 then code else test.another(code) end) v;
select is((select array_agg(to_jsonb(g) - 'phone' order by n) from guess g where phone = '+12025550102'),
  (select array_agg(to_jsonb(g) - 'phone' order by n) from guess g where phone = '+12025550103'),
  'whether a phone is registered shows in no answer to a wrong code');
select is((select array_agg((error).code order by n) from guess where phone = '+12025550102'),
  array['INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'],
  'five wrong guesses answer INVALID_OTP, and from the sixth on the right code too MAX_ATTEMPTS_REACHED');
select is((select array_agg(attempts) from platform.otp_transaction), array[5, 5], 'failed guesses are counted alike');
select is((select count(*)::integer from "user".account), 0, 'and confirm nothing');
select test.clean_slate();
create temp table nobody on commit drop as
  select v.* from (select test.send_code('+12025550103', 'SIGNUP') as code) s, pg_temp.verify('+12025550103', code) v;
select is((select to_jsonb(n) from nobody n), to_jsonb(row(private.error('INVALID_OTP'), null, null, null, null, null, null, null, null)::api.session_answer),
  'the right code where nothing is registered is an invalid code');
select is((test.otp('+12025550103', 'SIGNUP')).attempts, 1, 'and costs an attempt');
select is((test.otp('+12025550103', 'SIGNUP')).verified_at, null, 'but is not used up');

-- Every other failure
select is((select (error).code from pg_temp.verify('+12025550104', '12345')), 'INVALID_OTP_FORMAT', 'a code of five digits is malformed');
select is((select (error).code from pg_temp.verify('+12025550104', '123456')), 'INVALID_OTP', 'where no code was sent every code is invalid');
select api.register('+12025550105', null, test.prehash('correct horse'), 13, false, '192.0.2.1');
create temp table late on commit drop as select test.send_code('+12025550105', 'SIGNUP') as code;
select test.age_otps('300 seconds');
select is((select (error).code from late, pg_temp.verify('+12025550105', code)), 'OTP_EXPIRED', 'an expired code is refused');
select test.age_otps('-1 second');
select is((select (error).code from late, pg_temp.verify('+12025550105', code)), null, 'a code with a second left is not');
select is((select (v.error).code from (select test.send_code('+12025550106', 'PASSWORD_RESET') as code) s, pg_temp.verify('+12025550106', code) v),
  'INVALID_OTP', 'a code sent for another purpose confirms nothing');
select test.set_setting('OTP_VERIFY_LIMIT', '"1/60"');
create temp table over on commit drop as
  select v.* from (select test.send_code('+12025550106', 'SIGNUP') as code) s, pg_temp.verify('+12025550106', code) v;
select is((select (error).code || ((error).details - 'retryAfterSeconds') from over),
  'RATE_LIMIT_EXCEEDED{"policy": "OTP_VERIFY_LIMIT", "seconds": 60, "requests": 1}', 'over a verify limit the right code is refused too');
select is((select session_id from over), null, 'without a session');
select throws_ok($$select api.verify_registration('+12025550105', '123456', null, '192.0.2.7', null)$$, '22023', null,
  'without a code key nothing is verified');

-- A registration ends after 24 hours
select test.clean_slate();
select api.register('+12025550101', null, test.prehash('correct horse'), 13, false, '192.0.2.1');
select api.register('+12025550102', null, test.prehash('correct horse'), 13, false, '192.0.2.1');
update private.pending_registration set registered_at = clock_timestamp() - interval '24 hours' where phone = '+12025550101';
update private.pending_registration set registered_at = clock_timestamp() - interval '24 hours' + interval '1 second' where phone = '+12025550102';
select is((select (v.error).code from (select test.send_code('+12025550101', 'SIGNUP') as code) s, pg_temp.verify('+12025550101', code) v),
  'INVALID_OTP', 'a registration 24 hours old is none');
select is((select count(*)::integer from "user".account where phone = '+12025550101'), 0, 'and is not confirmed');
select is((select (v.error).code from (select test.send_code('+12025550102', 'SIGNUP') as code) s, pg_temp.verify('+12025550102', code) v),
  null, 'a second earlier it still is one');

-- Contested registrations, in each order
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
  perform api.verify_registration(phone, test.send_code(phone, 'SIGNUP'), test.code_key(), 'everybody''s proxy', null);
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
  'a registration that another followed sets no password, though all come from one address');
select is((select (account).password_hash from contest where phone = '+12025550112'), null, 'nor does one that followed another');
select is((select (account).password_hash from contest where phone = '+12025550113'), null, 'nor does registering once more undo the contest');
select is((select (account).password_hash from contest where phone = '+12025550114'), null, 'whoever does it');
select is((select (account).password_hash from contest where phone = '+12025550115'), null, 'nor does pushing the other out');
select ok((select (account).password_hash = crypto.crypt(test.prehash('mine'), (account).password_hash) from contest
  where phone = '+12025550116'), 'registering twice with one password is no contest');
select is((select array_agg((account).email order by phone) from contest),
  array[null, null, null, null, null, 'mine@example.org'], 'a contested email is not taken either');
select ok((select bool_and((account).phone_verified_at is not null) from contest), 'the phone is confirmed in every case');
select is((select count(*)::integer from "user".session), 6, 'and a session opened');
select is((select count(*)::integer from private.pending_registration), 0, 'no registration waits any more');
select is((api.log_in('+12025550112', test.prehash(password), '192.0.2.1')).error.code, 'INVALID_REQUEST',
  'neither password of a contested registration logs in: ' || password)
from (values ('mine'), ('theirs')) p (password);

-- The registration that the client names
select test.clean_slate();
create temp table mine on commit drop as select (api.register('+12025550121', 'mine@example.org', test.prehash('mine'), 8, false, '192.0.2.1')).user_id;
create temp table theirs on commit drop as select (api.register('+12025550121', 'theirs@example.org', test.prehash('theirs'), 8, false, '192.0.2.1')).user_id;
create temp table elsewhere on commit drop as select (api.register('+12025550122', null, test.prehash('mine'), 8, false, '192.0.2.1')).user_id;
create temp table named on commit drop as select test.send_code('+12025550121', 'SIGNUP') as code;
select is((select (v.error).code from named, elsewhere, pg_temp.verify('+12025550121', code, '192.0.2.1', user_id) v), 'INVALID_OTP',
  'the id of no registration of the phone is answered like a wrong code');
select is((test.otp('+12025550121', 'SIGNUP')).attempts, 1, 'and costs an attempt');
select is((select v.user_id from named, mine, pg_temp.verify('+12025550121', code, '192.0.2.1', mine.user_id) v), (select user_id from mine),
  'a registration named by its id is confirmed, whatever came after it');
select is((select row(id, email)::text from "user".account where phone = '+12025550121'), (select row(user_id, 'mine@example.org')::text from mine), 'with its email');
select is((api.log_in('+12025550121', test.prehash('mine'), '192.0.2.1')).error.code, null, 'and its password');
select is((api.log_in('+12025550121', test.prehash('theirs'), '192.0.2.1')).error.code, 'INVALID_REQUEST', 'and no other');

select * from finish();
rollback;
