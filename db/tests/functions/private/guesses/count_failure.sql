begin;
select plan(11);
select test.clean_slate(), test.set_setting('OTP_FAILURES_IN_A_ROW', '2');
select private.remember_client(test.make_account('+12025550101'), 'home');
select private.lock_verification_state('PHONE', '+12025550101'), private.lock_verification_state('PHONE', '+12025550102'),
  private.lock_verification_state('EMAIL', '+12025550101');
create function pg_temp.fail(by_known_client boolean) returns text language plpgsql
as $$
begin
  perform private.count_failure(
    test.attempt('PHONE', '+12025550101', 'SIGNUP', client => case when by_known_client then 'home' else 'bot' end)
  );
  return (select row(s.failures, s.known_client_failures)::text from private.verification_state s
    where s.identifier_type = 'PHONE' and s.identifier = '+12025550101');
end
$$;
create function pg_temp.updated_times() returns text language sql
as $$ select row(s.failed_at > now(), s.known_client_failed_at > now())::text from private.verification_state s
  where s.identifier_type = 'PHONE' and s.identifier = '+12025550101' $$;
select is(pg_temp.fail(false), '(1,0)', 'an unknown client''s failure is counted among all failures');
select is(pg_temp.updated_times(), '(t,)', 'an unknown client''s failure sets failed_at and leaves known_client_failed_at');
select is(pg_temp.fail(true), '(2,1)', 'a known client''s failure is counted among all failures and separately');
update private.verification_state set failed_at = now(), known_client_failed_at = now();
select is(pg_temp.fail(false), '(2,1)', 'a spent number of failures does not grow');
select is(pg_temp.updated_times(), '(f,f)', 'failures during a block do not make it longer');
select is(pg_temp.fail(true), '(2,2)', 'during a block a known client''s failure is still counted separately');
select is(pg_temp.updated_times(), '(f,t)', 'during a block a known client''s failure sets only known_client_failed_at');
update private.verification_state set failed_at = now(), known_client_failed_at = now();
select is(pg_temp.fail(true), '(2,2)', 'a spent number of failures of known clients does not grow');
select is(pg_temp.updated_times(), '(f,f)', 'failures of known clients during a block do not make it longer');
select test.age_failures('1 day');
select is(pg_temp.fail(true), '(1,1)', 'when the block has ended failures are counted from one');
select is((select sum(failures) from private.verification_state where identifier_type = 'EMAIL' or identifier = '+12025550102'), 0::bigint,
  'failures of another identifier or identifier type are not counted');

select * from finish();
rollback;
