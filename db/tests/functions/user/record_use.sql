begin;
select plan(8);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
create function pg_temp.today() returns date language sql as $$ select (clock_timestamp() at time zone 'UTC')::date $$;
create function pg_temp.used(phone text) returns date language sql as $$ select last_used_on from "user".account a where a.phone = used.phone $$;
select is(pg_temp.used('+12025550101'), pg_temp.today(), 'an account that is made counts as used');
update "user".account set last_used_on = pg_temp.today() - 9;
create temp table session on commit drop as select s.* from "user".account a, test.open_session(a.id) s where a.phone = '+12025550101';
select is(pg_temp.used('+12025550101'), pg_temp.today(), 'opening a session is a use');
select is(pg_temp.used('+12025550102'), pg_temp.today() - 9, 'of its own account only');
create function pg_temp.refresh(rotated_days_ago integer) returns date language plpgsql
as $$
begin
  update "user".account set last_used_on = pg_temp.today() - 9;
  update "user".session set rotated_at = null where rotated_at is not null;
  update "user".session set created_at = now() - make_interval(days => rotated_days_ago);
  update "user".session set rotated_at = clock_timestamp();
  return pg_temp.used('+12025550101');
end
$$;
select is(pg_temp.refresh(1), pg_temp.today(), 'the first refresh of a day is a use');
select is(pg_temp.refresh(0), pg_temp.today() - 9, 'later ones write nothing');
update "user".account set last_used_on = pg_temp.today() where phone = '+12025550101';
create temp table version on commit drop as select ctid::text as row from "user".account where phone = '+12025550101';
select test.open_session(a.id) from "user".account a where a.phone = '+12025550101';
select is((select ctid::text from "user".account where phone = '+12025550101'), (select row from version), 'an account that was used today is not written again');
select lives_ok('select test.open_session(null)', 'a guest uses no account');
select is(pg_temp.used('+12025550102'), pg_temp.today() - 9, 'and changes none');

select * from finish();
rollback;
