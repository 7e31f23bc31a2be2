begin;
select plan(8);
select test.clean_slate();
create temp table otp on commit drop as select * from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp());
select ok((select not private.may_have_been_sent(id) from otp), 'nothing was sent without an attempt');
select private.start_attempt(o, 'console') from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp()) o;
select ok((select not private.may_have_been_sent(id) from otp), 'attempts of other one-time passwords do not count');
create function pg_temp.after(outcome text) returns boolean language plpgsql
as $$
begin
  update platform.delivery_attempt a set outcome = after.outcome, otp_id = o.id from otp o;
  return (select private.may_have_been_sent(id) from otp);
end
$$;
select is(pg_temp.after(outcome), expected, 'after an attempt ' || coalesce('that was ' || outcome, 'without outcome')
  || case when expected then ' it may have been sent' else ' nothing was sent' end)
from (values ('sent', true), ('uncertain', true), (null, true), ('refused', false), ('declined', false), ('unreachable', false)) c
  (outcome, expected);
select * from finish();
rollback;
