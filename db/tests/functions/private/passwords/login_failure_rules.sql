begin;
select plan(3);
select test.clean_slate();
select is((select array_agg(r.key) from unnest(private.login_failure_rules(test.password_attempt('+12025550101', client => 'bot'))) r), array[
  'LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 bot', 'LOGIN_FAILURES_PER_PHONE:+12025550101', 'LOGIN_FAILURES_PER_IP:bot'],
  'a failed login counts per phone and client, per phone, and per client');
select is((select row(r.requests, r.period)::text from unnest(private.login_failure_rules(test.password_attempt('+12025550101', client => 'bot'))) r
    where r.policy = 'LOGIN_FAILURES_PER_PHONE_AND_IP'),
  '(10,00:15:00)', 'requests and period of a rule come from the setting');
select test.set_setting('LOGIN_FAILURES_PER_PHONE', '"off"');
select is((select array_agg(r.policy) from unnest(private.login_failure_rules(test.password_attempt('+12025550101', client => 'bot'))) r),
  array['LOGIN_FAILURES_PER_PHONE_AND_IP', null, 'LOGIN_FAILURES_PER_IP'], 'a limit that is off is null');

select * from finish();
rollback;
