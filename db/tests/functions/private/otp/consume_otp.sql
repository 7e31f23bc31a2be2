begin;
select plan(7);
select test.clean_slate();
select test.send_code('+12025550101', 'SIGNUP'), test.send_code('+12025550102', 'SIGNUP');
select private.consume_otp((test.otp('+12025550101', 'SIGNUP')).id);
create temp table used on commit drop as select * from platform.otp_transaction where identifier = '+12025550101';
select ok((select verified_at between now() and clock_timestamp() from used),
  'consume_otp marks the one-time password as used now');
select private.consume_otp(id) from used;
select is((test.otp('+12025550101', 'SIGNUP')).verified_at, (select verified_at from used),
  'a second call of consume_otp does not change verified_at');
select is((test.otp('+12025550102', 'SIGNUP')).verified_at, null, 'consume_otp does not mark another one-time password as used');

select private.lock_verification_state('PHONE', phone), test.guess('PHONE', phone, 'SIGNUP')
from (values ('+12025550101'), ('+12025550102')) p (phone);
insert into private.verification_state (identifier_type, identifier, failures) values ('EMAIL', '+12025550101', 1);
update private.verification_state set known_client_failures = 1;
select private.consume_otp(id) from used;
select is((select jsonb_object_agg(identifier_type || identifier, failures + known_client_failures) from private.verification_state),
  '{"PHONE+12025550101": 0, "PHONE+12025550102": 2, "EMAIL+12025550101": 2}',
  'consume_otp resets the failures in a row of the identifier, and of no other');
select is((select array_agg(guesses) from private.guess_count), array[1, 1], 'consume_otp does not reset counted guesses');
update private.verification_state set failures = 100, failed_at = now(), known_client_failures = 100;
select private.consume_otp(id) from used;
select is((select row(failures, known_client_failures)::text from private.verification_state
    where identifier_type = 'PHONE' and identifier = '+12025550101'),
  '(100,0)', 'a block of unknown clients lasts its whole day: its early end would reveal that a known client verified');

select test.make_decision(jsonb_build_object('otp_id', id)) from used;
select private.consume_otp(id) from used;
select isnt((select verified_at from platform.send_decision), null, 'the decision to send it is verified');

select * from finish();
rollback;
