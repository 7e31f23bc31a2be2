begin;
select plan(18);
select test.clean_slate();
create function pg_temp.open(phone text, client text default '192.0.2.1') returns api.session_answer language sql
as $$ select private.open_account_by_code(test.attempt('PHONE', phone, 'LOGIN', client => client), null, 'ada@example.org', null) $$;
select is((pg_temp.open('+12025550101')).created, true, 'an account is opened');
select is((select row(phone, email, password_hash)::text from "user".account), '(+12025550101,ada@example.org,)', 'it has the phone and the email, and no password');
select is((pg_temp.open('+12025550101')).created, false, 'a phone with an account gets no second one');
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 1, 'only an account that is opened counts against REGISTER_PER_IP');
select test.set_setting('REGISTER_PER_IP', '"1/60"');
select is((pg_temp.open('+12025550102')).error.code, 'RATE_LIMIT_EXCEEDED', 'over that limit none is opened');
select is((select count(*)::integer from "user".account), 1, 'and none is stored');

-- Which phones may sign up by code
select test.clean_slate();
select test.make_account('+12025550101'), test.make_account('+12025550102');
update "user".account set disabled_at = now(), disabled_reason = 'test' where phone = '+12025550102';
select is((pg_temp.open('+12025550102')).created, false, 'a phone with a disabled account gets no second one');
select test.recycle('+12025550101');
select test.set_setting('SIGNUP_BY_CODE', '"off"');
select is((pg_temp.open('+12025550103')).created, false, 'while SIGNUP_BY_CODE is off no code opens an account');
select is((pg_temp.open('+12025550101')).created, false, 'nor for a recycled phone');
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 0, 'and nothing is counted');
select test.set_setting('SIGNUP_BY_CODE', '"on"');
select is((pg_temp.open('+12025550101')).created, true, 'a recycled phone gets a new account');

create function hook.before_register(phone text, client text) returns text language sql as $$ select 'closed' $$;
select is((pg_temp.open('+12025550109')).error, private.error('INVALID_REQUEST', '{"reason": "refused_by_hook", "hookReason": "closed"}'),
  'the application''s hook refuses that a code opens an account');
select is_empty($$select from "user".account where phone = '+12025550109'$$, 'and none is opened');

-- REGISTRATION
drop function hook.before_register;
select test.clean_slate();
select test.make_account('+12025550101');
select test.recycle('+12025550101');
select "user".invite('+12025550102');
select test.set_setting('REGISTRATION', '"closed"');
select is((pg_temp.open(phone)).created, false, phone || ' is not invited: no code opens an account')
from unnest(array['+12025550101', '+12025550103']) phone;
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 0, 'and nothing is counted');
select is((pg_temp.open('+12025550102')).created, true, 'an invited phone may sign up by code, even while REGISTRATION is closed');
select "user".invite('+12025550101');
select is((pg_temp.open('+12025550101')).created, true, 'and so may a recycled one');

select * from finish();
rollback;
