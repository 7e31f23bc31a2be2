begin;
select plan(11);
select test.clean_slate(), test.set_setting('OTP_FAILURES_IN_A_ROW', '2');
select private.lock_verification_state('PHONE', '+12025550101'), private.lock_verification_state('PHONE', '+12025550102'),
  private.lock_verification_state('EMAIL', '+12025550101');
create function pg_temp.fail(by_known_client boolean) returns text language plpgsql
as $$
begin
  perform private.count_failure('PHONE', '+12025550101', by_known_client);
  return (select row(s.failures, s.known_client_failures)::text from private.verification_state s
    where s.identifier_type = 'PHONE' and s.identifier = '+12025550101');
end
$$;
create function pg_temp.moved() returns text language sql
as $$ select row(s.failed_at > now(), s.known_client_failed_at > now())::text from private.verification_state s
  where s.identifier_type = 'PHONE' and s.identifier = '+12025550101' $$;
select is(pg_temp.fail(false), '(1,0)', 'a stranger''s failure is counted');
select is(pg_temp.moved(), '(t,)', 'and dated, and moves nothing of the known clients''');
select is(pg_temp.fail(true), '(2,1)', 'a known client''s among all, and apart');
update private.verification_state set failed_at = now(), known_client_failed_at = now();
select is(pg_temp.fail(false), '(2,1)', 'a spent count stays');
select is(pg_temp.moved(), '(f,f)', 'and does not last longer for those who guess on');
select is(pg_temp.fail(true), '(2,2)', 'a known client''s is counted apart while that count has room');
select is(pg_temp.moved(), '(f,t)', 'and dated apart');
update private.verification_state set failed_at = now(), known_client_failed_at = now();
select is(pg_temp.fail(true), '(2,2)', 'that of the known clients ends likewise');
select is(pg_temp.moved(), '(f,f)', 'and does not last longer either');
select test.age_failures('1 day');
select is(pg_temp.fail(true), '(1,1)', 'when its day is over a count begins again');
select is((select sum(failures) from private.verification_state where identifier_type = 'EMAIL' or identifier = '+12025550102'), 0::bigint,
  'another identifier, or type, has no part in it');

select * from finish();
rollback;
