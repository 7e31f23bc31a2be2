begin;
select plan(17);
select test.clean_slate();
create function pg_temp.limits(subject text) returns setof text language sql as $$
  select concat_ws(' ', l.policy, coalesce(l.client, '-'), l.counted || '/' || l.requests, case when l.blocked_until is null then 'free' else 'blocked' end)
  from platform.limits_of(subject) l $$;
select is_empty($$select pg_temp.limits('+12025550101')$$, 'nothing is counted of a phone that nobody used');
-- The order of the table is not that of the names, and an index would be in theirs.
set local enable_indexscan = off;
insert into private.guess_count values ('PHONE', '+12025550104', 'SIGNUP', 1, now()), ('PHONE', '+12025550104', 'LOGIN', 2, now());
select results_eq($$select pg_temp.limits('+12025550104')$$, array['OTP_MAX_ATTEMPTS LOGIN 2/5 free', 'OTP_MAX_ATTEMPTS SIGNUP 1/5 free'],
  'the purposes of one limit in the order of their names');
reset enable_indexscan;
select private.take_rate_limits(array[private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', '+12025550101')]) from generate_series(1, 3);
select private.take_rate_limits(array[private.rate_limit_rule('OTP_VERIFY_LIMIT', '+12025550101 LOGIN 192.0.2.1')]);
select private.take_rate_limits(array[private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', '+12025550102')]);
select results_eq($$select pg_temp.limits('+12025550101')$$,
  array['OTP_SEND_PER_IDENTIFIER - 3/3 blocked', 'OTP_VERIFY_LIMIT LOGIN 192.0.2.1 1/5 free'], 'limits without room come first');
select test.set_setting('OTP_VERIFY_LIMIT', '"5/2592000"');
select results_eq($$select pg_temp.limits('+12025550101')$$,
  array['OTP_SEND_PER_IDENTIFIER - 3/3 blocked', 'OTP_VERIFY_LIMIT LOGIN 192.0.2.1 1/5 free'], 'however long the period of the others is');
delete from settings.configuration where key = 'OTP_VERIFY_LIMIT';
select private.take_rate_limits(array[private.rate_limit_rule('OTP_VERIFY_LIMIT', '+12025550102 LOGIN 192.0.2.1')]);
select results_eq($$select pg_temp.limits('+12025550102')$$, array['OTP_SEND_PER_IDENTIFIER - 1/3 free', 'OTP_VERIFY_LIMIT LOGIN 192.0.2.1 1/5 free'], 'others in the order of their names');
select test.guess('PHONE', '+12025550101', 'SIGNUP') from generate_series(1, 5);
insert into private.verification_state (identifier_type, identifier, failures, failed_at) values ('PHONE', '+12025550101', 100, now())
on conflict on constraint verification_state_pkey do update set failures = 100, failed_at = now();
select ok('OTP_MAX_ATTEMPTS SIGNUP 5/5 blocked' in (select pg_temp.limits('+12025550101')), 'wrong codes that block a purpose are shown');
select ok('OTP_FAILURES_IN_A_ROW - 100/100 blocked' in (select pg_temp.limits('+12025550101')), 'wrong codes in a row that block all are shown');
select is(array_agg(l.policy order by l.n), array_agg(l.policy order by l.blocked_until desc), 'the longest block comes first')
from (select l.*, row_number() over () as n from platform.limits_of('+12025550101') l) l where l.blocked_until is not null;
select ok(bool_and(l.blocked_until > now()), 'blocks end in the future') from platform.limits_of('+12025550101') l where l.blocked_until is not null;
insert into private.verification_state (identifier_type, identifier, failures, failed_at) values ('PHONE', '+12025550103', 1, now());
select results_eq($$select pg_temp.limits('+12025550103')$$, array['OTP_FAILURES_IN_A_ROW - 1/100 free'], 'one wrong code is shown');
select test.age_failures('2 days'), test.age_guesses('1 hour');
select ok('OTP_FAILURES_IN_A_ROW - 100/100 free' in (select pg_temp.limits('+12025550101')), 'a block that has ended is shown as one');
select ok(not exists (select from pg_temp.limits('+12025550101') t where t like 'OTP_MAX%'), 'wrong codes that no longer count are not shown');
select test.set_setting('OTP_FAILURES_IN_A_ROW', '"off"');
select ok(not exists (select from pg_temp.limits('+12025550101') t where t like 'OTP_FAIL%'), 'a limit that is off is not shown');
select is(test.call_as('latchkey_admin', '(select count(*)::integer from platform.limits_of(''+12025550102'')) n', null::integer), 2, 'the admin may read them');

select private.take_rate_limits(array[private.rate_limit_rule('OTP_VERIFY_LIMIT', 'ada@gmail.com LOGIN 192.0.2.1')]);
select results_eq($$select pg_temp.limits('a.da+x@gmail.com')$$, array['OTP_VERIFY_LIMIT LOGIN 192.0.2.1 1/5 free'], 'an email address has the limits of its mailbox');

select private.take_rate_limits(array[private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', '+2290197123456')]);
select results_eq($$select pg_temp.limits('+22997123456')$$, array['OTP_SEND_PER_IDENTIFIER - 1/3 free'], 'a number of a former plan is looked for as it is today');

select private.take_rate_limits(private.client_rules('OTP_SEND_PER_IP', '2001:db8:1:2::/64'));
select results_eq($$select pg_temp.limits('2001:db8:1::/48')$$, array['OTP_SEND_PER_IP - 1/100 free'], 'a /48 has its own, wider bound');

select * from finish();
rollback;
