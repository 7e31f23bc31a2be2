begin;
select plan(3);
select test.clean_slate();
select is((select array_agg(r.key) from unnest(private.login_failure_rules('+12025550101', 'bot')) r), array[
  'LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 bot', 'LOGIN_FAILURES_PER_PHONE:+12025550101', 'LOGIN_FAILURES_PER_IP:bot'],
  'a failure counts for phone and client, for the phone, and for the client');
select is((select row(r.requests, r.period)::text from unnest(private.login_failure_rules('+12025550101', 'bot')) r where r.policy = 'LOGIN_FAILURES_PER_PHONE_AND_IP'),
  '(10,00:15:00)', 'the numbers are the settings''');
select test.set_setting('LOGIN_FAILURES_PER_PHONE', '"off"');
select is((select array_agg(r.policy) from unnest(private.login_failure_rules('+12025550101', 'bot')) r),
  array['LOGIN_FAILURES_PER_PHONE_AND_IP', null, 'LOGIN_FAILURES_PER_IP'], 'a limit turned off is no rule');

select * from finish();
rollback;
