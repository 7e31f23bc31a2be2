begin;
select plan(7);
select test.clean_slate();
create function pg_temp.sent(phone text, ago interval, counted boolean) returns void language sql as $$
  insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, counted_at, delivery, created_at, expires_at)
  values (private.new_id(), phone, 'PHONE', 'LOGIN', true, case when counted then now() - ago end, 'queued', now() - ago, now()) $$;
select is(fraud.since_last('+12025550101', now()), interval '1 day', 'a phone without a send counts as a day');
select pg_temp.sent('+12025550101', '25 hours', true);
select is(fraud.since_last('+12025550101', now()), interval '1 day', 'a send of more than a day ago counts as a day');
select pg_temp.sent('+12025550101', '3 minutes', true), pg_temp.sent('+12025550101', '2 minutes', true);
select is(fraud.since_last('+12025550101', now()), interval '2 minutes', 'the latest send counts');
select pg_temp.sent('+12025550101', '1 minute', false), pg_temp.sent('+12025550102', '1 minute', true);
select is(fraud.since_last('+12025550101', now()), interval '2 minutes', 'neither a send that was given back nor another phone''s counts');
select is(fraud.since_last('+12025550101', now() - interval '150 seconds'), interval '0', 'a later send is no negative time');
select test.clean_slate(), test.make_account('+12025550101');
select api.request_password_reset(phone, '192.0.2.1', test.code_key(), 'US') from (values ('+12025550101'), ('+12025550102')) p (phone);
select test.issue_code(id) from platform.otp_transaction;
select set_eq('select delivery from platform.otp_transaction', array['sending', 'dropped'], 'the reset without an account is dropped');
select ok(bool_and(fraud.since_last(phone, clock_timestamp()) < interval '1 minute'), 'a reset counts, whether or not there is an account')
from (values ('+12025550101'), ('+12025550102')) p (phone);

select * from finish();
rollback;
