begin;
select plan(3);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select is((private.lock_account(id)).phone, '+12025550101', 'the account is returned') from actor;
select is((select count(*)::integer from "user".account a where pg_current_xact_id_if_assigned() is not null and a.xmax::text::bigint > 0), 1,
  'its row is locked');
select is((private.lock_account(gen_random_uuid())).id, null, 'there may be none');
select * from finish();
rollback;
