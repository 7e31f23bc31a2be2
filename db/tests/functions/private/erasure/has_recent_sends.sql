begin;
select plan(6);
select test.clean_slate();
select test.make_account('+12025550101');
create function pg_temp.answer() returns boolean language sql as
$$ select private.has_recent_sends(a) from "user".account a where a.phone = '+12025550101' $$;
create function pg_temp.take(phone text) returns void language sql as
$$ select private.take_rate_limits(array[private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', phone)]) $$;

select is(pg_temp.answer(), false, 'nothing was sent');
select pg_temp.take('+12025550109');
select is(pg_temp.answer(), false, 'a send to another phone does not count');
select pg_temp.take('+12025550101');
select is(pg_temp.answer(), true, 'a send to its phone counts');
update platform.rate_limit set hits = array[now() - interval '61 minutes'];
select is(pg_temp.answer(), false, 'until the period of the limit is over');
select pg_temp.take('+12025550102');
insert into private.earlier_phone (account_id, phone, asked_at) select id, '+12025550102', now() from "user".account where phone = '+12025550101';
select is(pg_temp.answer(), true, 'one to a phone that it asked for counts');
update "user".account set deletion_due_at = clock_timestamp() where phone = '+12025550101';
select is(delivery.erase_due_account(0), false, 'and delays its erasure');
select * from finish();
rollback;
