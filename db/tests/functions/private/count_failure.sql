begin;
select plan(7);
do $$ begin
  perform test.clean_slate();
  perform test.set_setting('OTP_FAILURES_IN_A_ROW', '2');
  perform private.lock_verification_state('PHONE', '+12025550101'), private.lock_verification_state('PHONE', '+12025550102');
end $$;
create function pg_temp.fail(by_known_client boolean) returns text language plpgsql
as $$
begin
  perform private.count_failure('PHONE', '+12025550101', by_known_client);
  return (select row(s.failures, s.known_client_failures)::text from private.verification_state s where s.identifier = '+12025550101');
end
$$;
select is(pg_temp.fail(false), '(1,0)', 'a stranger''s failure is counted');
select is(pg_temp.fail(true), '(1,1)', 'a known client''s apart');
select is(pg_temp.fail(false), '(2,1)', 'each in its own row');
select is((select row(failed_at > now(), known_client_failed_at > now())::text from private.verification_state where identifier = '+12025550101'), '(t,t)', 'and dated');
select is(pg_temp.fail(false), '(1,1)', 'after the day that a spent count lasts it begins again');
do $$ begin perform test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"'), pg_temp.fail(false), pg_temp.fail(false); end $$;
select is(pg_temp.fail(false), '(4,1)', 'where the setting is off it goes on');
select is((select failures from private.verification_state where identifier = '+12025550102'), 0, 'another phone has no part in it');

select * from finish();
rollback;
