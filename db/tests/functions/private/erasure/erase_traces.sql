begin;
select plan(15);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select test.open_session(actor.id, (select session_id from test.open_session(null))) from actor;
select test.send_code('+12025550101', 'LOGIN');
select test.insert_hits('EXPORTS_PER_USER:' || id, now()), test.insert_hits('OTP_SEND_PER_IP:192.0.2.1', now()),
  test.insert_hits('LOGINS_PER_PHONE:+12025550101', now())
from actor;
select private.count_send(test.make_decision(jsonb_build_object('otp_id', (test.otp('+12025550101', 'LOGIN')).id)), 1, 0);
select private.uncount_client_sends(private.erase_traces(a)) from "user".account a;
select is((select count(*)::integer from platform.otp_transaction), 0, 'one-time passwords of its phone are deleted');
select is((select array_agg(key) from platform.rate_limit), array['OTP_SEND_PER_IP:192.0.2.1'],
  'limits of the user and the phone are deleted, and those of an address are not: other people may have it');
select is((select array_agg(role) from "user".session), array['user'], 'the session of the guest who became the user is deleted');
select is(test.count('client:192.0.2.1', 'hour', now()) || ', ' || test.count('all', 'hour', now()), '0 0, 1 0',
  'the sends that it returns are those that are still counted for its address');
select is((select count(*)::integer from "user".account), 1, 'the account itself is left to the caller');

create temp table other on commit drop as select test.make_account('+12025550102') as id;
select test.send_code('+12025550102', 'PHONE_CHANGE', id), test.guess('PHONE', '+12025550102', 'PHONE_CHANGE', id) from actor;
select test.guess('PHONE', '+12025550102', 'PHONE_CHANGE', id), test.guess('PHONE', '+12025550102', 'LOGIN')
from other;
select private.erase_traces(a) from actor join "user".account a using (id);
select set_eq('select purpose, account_id from private.guess_count', $$select 'PHONE_CHANGE', id from other union all select 'LOGIN', null$$,
  'wrong codes for a phone that is another account''s are deleted, and that account''s are not');

-- A phone that another account has since
select test.clean_slate();
create temp table former on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as holder;
select private.remember_phone(id, '+12025550102', now() - interval '1 hour', null), test.insert_hits('LOGINS_PER_PHONE:+12025550102', now()),
  test.queue_otp('+12025550102', 'PHONE', 'LOGIN', true, now() - interval '2 hours'), test.queue_otp('+12025550102', 'PHONE', 'SIGNUP', true, now())
from former;
select private.erase_traces(a) from former join "user".account a using (id);
select is((select array_agg(purpose) from platform.otp_transaction), array['SIGNUP'], 'of a phone that another account has by now, earlier rows are deleted');
select is((select array_agg(key) from platform.rate_limit), array['LOGINS_PER_PHONE:+12025550102'], 'what limits count for that phone stays');

-- Phones that it asked for and never got: one that somebody else registers, and one that nobody has
select test.clean_slate();
select private.remember_phone(id, p, null, now()) from test.make_account('+12025550101') id, unnest(array['+12025550102', '+12025550103']) p;
select test.send_code('+12025550102', 'SIGNUP'), test.make_registration('+12025550102');
select test.guess('PHONE', p, 'SIGNUP') from unnest(array['+12025550102', '+12025550103']) p;
select test.insert_hits(k || ':' || p || suffix, now())
from unnest(array['+12025550102', '+12025550103']) p,
  (values ('OTP_SEND_PER_IDENTIFIER', ''), ('OTP_VERIFY_LIMIT', ' PHONE_CHANGE 192.0.2.1'), ('OTP_VERIFY_LIMIT', ' SIGNUP 192.0.2.1')) l (k, suffix);
select private.erase_traces(a) from "user".account a;
select is((select array_agg(identifier || purpose) from platform.otp_transaction), array['+12025550102SIGNUP'], 'a stranger''s code stays');
select is((select array_agg(phone) from private.pending_registration), array['+12025550102'], 'and so does the registration');
select set_eq('select identifier from private.guess_count', array['+12025550102', '+12025550103'], 'wrong codes for such phones stay until they expire');
select set_eq($$select key from platform.rate_limit where key like '%+12025550103%'$$, array['OTP_VERIFY_LIMIT:+12025550103 SIGNUP 192.0.2.1'],
  'of a phone that nobody has, the limits that its own request counted are deleted');
select is((select count(*)::integer from platform.rate_limit where key like '%+12025550102%'), 3, 'those of a stranger''s phone stay');

-- Wrong codes in a row, of phones that it asked for in vain
select test.clean_slate();
select private.remember_phone(id, p, null, now()) from test.make_account('+12025550101') id, unnest(array['+12025550102', '+12025550103', '+12025550104']) p;
select test.send_code('+12025550103', 'SIGNUP');
select test.age_otps('1 day');
select test.make_account('+12025550104');
select test.guess('PHONE', p, 'SIGNUP') from unnest(array['+12025550102', '+12025550103', '+12025550104']) p, lateral private.lock_verification_state('PHONE', p);
select private.erase_traces(a) from "user".account a where a.phone = '+12025550101';
select set_eq('select identifier from private.verification_state', array['+12025550103', '+12025550104'],
  'those of a phone that nobody else has or was sent a code are deleted');

-- A phone that it had, and that somebody else registers now
select test.clean_slate();
select private.remember_phone(test.make_account('+12025550101'), '+12025550102', now() - interval '1 hour', null),
  private.remember_phone(test.make_account('+12025550103'), '+12025550102', now() - interval '2 hours', null);
create temp table registration on commit drop as
select what, test.make_registration('+12025550102', what) as id, age
from (values ('of now', interval '0'), ('of then', '1 hour'), ('of the account that had it before', '2 hours')) r (what, age);
update private.pending_registration p set registered_at = now() - r.age from registration r where r.id = p.user_id;
select private.erase_traces(a) from "user".account a where a.phone = '+12025550101';
select set_eq('select r.what from registration r join private.pending_registration p on p.user_id = r.id',
  array['of now', 'of the account that had it before'], 'a registration of the time when the account had the phone is deleted, and no other');
select * from finish();
rollback;
