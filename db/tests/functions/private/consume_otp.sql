begin;
select plan(5);
do $$ begin
  perform test.clean_slate();
  perform test.send_code('+12025550101', 'SIGNUP'), test.send_code('+12025550102', 'SIGNUP');
  perform private.consume_otp((test.otp('+12025550101', 'SIGNUP')).id);
end $$;
create temp table used on commit drop as select * from platform.otp_transaction where identifier = '+12025550101';
select ok((select verified_at between now() and clock_timestamp() from used), 'a one-time password is used from now on');
do $$ begin perform private.consume_otp(id) from used; end $$;
select is((test.otp('+12025550101', 'SIGNUP')).verified_at, (select verified_at from used), 'using it again leaves the first moment');
select is((test.otp('+12025550102', 'SIGNUP')).verified_at, null, 'another stays unused');

do $$ begin
  perform private.lock_verification_state('PHONE', phone), private.count_guess('PHONE', phone, 'SIGNUP', '192.0.2.1')
  from (values ('+12025550101'), ('+12025550102')) p (phone);
  update private.verification_state set known_client_failures = 1;
  perform private.consume_otp(id) from used;
end $$;
select is((select jsonb_object_agg(identifier, failures + known_client_failures) from private.verification_state),
  '{"+12025550101": 0, "+12025550102": 2}', 'the failures in a row of its identifier end, and of no other');
select is((select array_agg(guesses) from private.guess_count), array[1, 1], 'guesses stay counted');

select * from finish();
rollback;
