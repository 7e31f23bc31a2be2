begin;
select plan(11);
select test.clean_slate();
create function pg_temp.confirm(user_id uuid default null) returns private.pending_registration language sql
as $$ select private.registration_to_confirm('+12025550101', user_id) $$;
select is((pg_temp.confirm()).user_id, null, 'without a registration the result is null');
create temp table mine on commit drop as select n, test.make_registration('+12025550101', 'mine') as id from generate_series(1, 2) n;
select is((pg_temp.confirm()).user_id, (select id from mine where n = 2),
  'without a user id the latest registration is returned');
select is((select (pg_temp.confirm(id)).user_id from mine where n = 1), (select id from mine where n = 1),
  'with a user id the registration of that id is returned');
select is((pg_temp.confirm(gen_random_uuid())).user_id, null, 'with an unknown user id the result is null');
update private.pending_registration set registered_at = now();
select is((pg_temp.confirm()).user_id, (select id from mine order by id desc limit 1), 'of one moment that of the greatest id');
create temp table theirs on commit drop as select test.make_registration('+12025550101', 'theirs') as id;
select is((select row(c.email, c.password_hash, c.phone)::text from pg_temp.confirm() c), '(,,+12025550101)',
  'without a user id a contested registration has neither email nor password');
select ok((pg_temp.confirm()).user_id not in (select id from mine union select id from theirs),
  'without a user id a contested registration has a new id');
select is((select (pg_temp.confirm(id)).password_hash from mine where n = 2),
  private.hash_registration_password('+12025550101', test.prehash('mine')),
  'with a user id a contested registration has its password');

update private.pending_registration set is_contested = false, registered_at = clock_timestamp() - interval '24 hours';
select is((pg_temp.confirm()).user_id, null, 'a registration that is 24 hours old is none');
update private.pending_registration set registered_at = registered_at + interval '1 minute' where user_id = (select id from mine where n = 1);
select is((pg_temp.confirm()).user_id, (select id from mine where n = 1), 'one that is younger is');
select is((private.registration_to_confirm('+12025550102', null)).user_id, null, 'but not for another phone');

select * from finish();
rollback;
