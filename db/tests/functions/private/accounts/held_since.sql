begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other, test.make_account('+12025550103') as third;
select private.remember_phone(id, '+12025550104', now(), null) from actor;
create function pg_temp.since() returns timestamptz language sql as $$
  select private.held_since(e) from private.earlier_phone e join actor on e.account_id = actor.id
$$;
select private.remember_phone(other, '+12025550105', now() - interval '1 day', null) from actor;
select is(pg_temp.since(), '-infinity', 'no other account had the phone before');
select private.remember_phone(other, '+12025550104', now() - interval '3 days', null), private.remember_phone(third, '+12025550104', now() - interval '2 days', null)
from actor;
select is(pg_temp.since(), now() - interval '2 days', 'the last of those that had it before is the one that counts');
update private.earlier_phone e set held_until = now() + interval '1 day' from actor where e.account_id = actor.third;
select is(pg_temp.since(), now() - interval '3 days', 'one that had it later does not');
update private.earlier_phone e set held_until = now() from actor where e.account_id = actor.third;
select is(pg_temp.since(), now() - interval '3 days', 'nor one that had it until the same moment');
select * from finish();
rollback;
