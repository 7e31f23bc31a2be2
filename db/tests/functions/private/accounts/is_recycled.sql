begin;
select plan(6);
select test.clean_slate();
select test.make_account('+12025550101');
create function pg_temp.recycled(days integer) returns boolean language plpgsql
as $$
declare
  v_account "user".account;
begin
  select a.* into v_account from "user".account a;
  v_account.last_used_on := (now() at time zone 'UTC')::date - days;
  return private.is_recycled(v_account);
end
$$;
select is(pg_temp.recycled(4000), false, 'while PHONE_RECYCLED_AFTER_DAYS is off no phone is recycled');
select test.set_setting('PHONE_RECYCLED_AFTER_DAYS', '30');
select is(pg_temp.recycled(0), false, 'an account that was used today has its phone');
select is(pg_temp.recycled(30), false, 'so has one that was used 30 days ago, at whatever time of that day');
select is(pg_temp.recycled(31), true, 'a day later it is recycled');
select is(private.is_recycled(null), false, 'no account is not recycled');
delete from settings.configuration where key = 'PHONE_RECYCLED_AFTER_DAYS';
select is(pg_temp.recycled(31), false, 'the default is off');

select * from finish();
rollback;
