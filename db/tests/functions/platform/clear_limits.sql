begin;
select plan(9);
select test.clean_slate();
select private.take_rate_limits(array[private.rate_limit_rule(l, p)])
from (values ('OTP_SEND_PER_IDENTIFIER', '+12025550101'), ('LOGIN_FAILURES_PER_PHONE_AND_IP', '+12025550101 192.0.2.1'),
  ('OTP_SEND_PER_IDENTIFIER', '+12025550102'), ('OTP_SEND_PER_IP', '192.0.2.1')) v (l, p);
select test.guess('PHONE', p, 'SIGNUP') from unnest(array['+12025550101', '+12025550102']) p;
insert into private.verification_state (identifier_type, identifier) values ('PHONE', '+12025550101'), ('PHONE', '+12025550102')
on conflict on constraint verification_state_pkey do nothing;
update private.verification_state set failures = 100, failed_at = now(), known_client_failures = 5, known_client_failed_at = now();
set local role latchkey_admin;
select is((select array_agg(key order by key collate "C") from platform.clear_limits('+12025550101')),
  array['LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1', 'OTP_SEND_PER_IDENTIFIER:+12025550101'], 'the windows that were deleted are returned');
select is_empty($$select from platform.limits_of('+12025550101')$$, 'nothing is counted of the phone any more');
select isnt_empty($$select from platform.limits_of('+12025550102')$$, 'what is counted of other phones stays');
select is_empty($$select from platform.clear_limits('+12025550101')$$, 'a second time changes nothing');
reset role;
select is((select count(*)::integer from private.guess_count), 1, 'other phones'' wrong codes stay');
select is((select array_agg(failures + known_client_failures order by identifier) from private.verification_state), array[0, 105], 'other phones'' wrong codes in a row stay');
select platform.clear_limits(s) from unnest(array['+12025550103', '192.0.2.1']) s;
select set_eq('select identifier from private.verification_state', array['+12025550101', '+12025550102', '+12025550103'],
  'a phone is locked although it had no row; a client''s address has none');
set local role latchkey_user;
select throws_ok($$select platform.clear_limits('+12025550101')$$, '42501', null, 'a user may not clear limits');
reset role;

select private.take_rate_limits(array[private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', '+2290197123456')]);
select isnt_empty($$select platform.clear_limits('+22997123456')$$, 'a number of a former plan is cleared as it is today');

select * from finish();
rollback;
