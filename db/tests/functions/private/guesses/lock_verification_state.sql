begin;
select plan(4);
select test.clean_slate();
select is((private.lock_verification_state('PHONE', '+12025550101'))::text, '(PHONE,+12025550101,0,,0,)',
  'an identifier that was never verified has a state without failures');
update private.verification_state set failures = 3, failed_at = now();
select is((private.lock_verification_state('PHONE', '+12025550101')).failures, 3, 'a stored state is returned with its failures');
select is((private.lock_verification_state('EMAIL', '+12025550101')).failures, 0,
  'another identifier type has a state of its own');
select is((select count(*)::integer from private.verification_state), 2, 'each identifier of a type has one row');

select * from finish();
rollback;
