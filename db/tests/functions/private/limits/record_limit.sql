begin;
select plan(9);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
select test.forget_events();
create function pg_temp.refuse(subject text) returns void language plpgsql as $$
begin
  insert into platform.rate_limit (key) values ('OTP_SEND_PER_IP:' || subject) on conflict do nothing;
  perform private.record_limit(row('OTP_SEND_PER_IP', 10, interval '1 hour', interval '1 minute', null, 'OTP_SEND_PER_IP:' || subject)::private.rate_limit_verdict);
end
$$;

select pg_temp.refuse('192.0.2.1'), pg_temp.refuse('192.0.2.1'), pg_temp.refuse('192.0.2.1');
select is((select array_agg(row(e.type, e.data - 'blocked_until')::text) from platform.event e),
  array[row('limit.exceeded', jsonb '{"policy": "OTP_SEND_PER_IP", "seconds": 3600, "requests": 10}')::text], 'however many requests a limit refuses, it is one event');
select ok((select (e.data ->> 'blocked_until')::timestamptz between e.at + interval '59 seconds' and e.at + interval '1 minute' from platform.event e), 'which has until when it refuses');
select is((select e.client from platform.event e), null, 'whose address is not kept');
update platform.rate_limit set refused_at = refused_at - interval '1 hour';
select pg_temp.refuse('192.0.2.1');
select is(cardinality(test.events()), 2, 'and another one in its next period');
select test.forget_events();
select pg_temp.refuse('+12025550101 192.0.2.1');
select is((select row(e.user_id, e.client, e.data::text like '%2025550101%')::text from platform.event e), (select row(alice, '192.0.2.1', false)::text from actor),
  'a phone is named by its account');
select test.forget_events(), pg_temp.refuse('+12025550199');
select is((select row(e.user_id, e.client)::text from platform.event e), '(,)', 'or not at all');
select test.forget_events(), pg_temp.refuse(alice::text) from actor;
select is((select e.user_id from platform.event e), (select alice from actor), 'an account by its id');
select test.forget_events(), private.record_limit(row('OTP_SEND_PER_IP', 10, interval '1 hour', interval '1 minute', null, 'OTP_SEND_PER_IP:gone')::private.rate_limit_verdict);
select is(test.events(), '{}', 'a window that was deleted meanwhile is none');
select is((select private.rate_limit_error(private.look_at_rate_limits(array[private.rate_limit_rule('OTP_SEND_PER_IP', '192.0.2.1')]))), null, 'nor is a request that is not refused');

select * from finish();
rollback;
