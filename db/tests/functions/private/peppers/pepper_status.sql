begin;
select plan(2);
select test.clean_slate();
delete from "user".account;
create function pg_temp.hash(id text) returns text language sql as $$ select private.bcrypt(id || ':x', private.decoy_salt(4)) $$;
create function pg_temp.key(id text) returns bytea language sql as $$ select decode(repeat(id, 40), 'hex') $$;
create temp table actor on commit drop as
  select n, test.make_account('+1202555010' || n) as id from generate_series(1, 5) n;
update "user".account a set password_hash = pg_temp.hash('aaaaaaaaaaaaaaaa') from actor where actor.id = a.id and n <= 2;
update "user".account a set password_hash = pg_temp.hash('bbbbbbbbbbbbbbbb') from actor where actor.id = a.id and n = 3;
update "user".account a set password_hash = pg_temp.hash('aaaaaaaaaaaaaaaa'), foreign_parameters = '$2b$10$x$23' from actor where actor.id = a.id and n = 4;
update "user".account a set password_hash = null from actor where actor.id = a.id and n = 5;
insert into private.recovery_code (user_id, code_hash, used_at)
  select id, private.hash_code(id, 'code ' || i, pg_temp.key('aa')), case when i = 3 then now() end from actor, generate_series(1, 3) i where n = 1;
select test.make_factor(id) from actor where n = 1;
update "user".factor set pepper_id = 'bbbbbbbbbbbbbbbb';
insert into private.pending_registration (user_id, phone, password_hash, is_contested, registered_at)
  select private.new_id(), '+12025550120', pg_temp.hash('aaaaaaaaaaaaaaaa'), false, now() - i * interval '40 days' from generate_series(0, 1) i;
insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, created_at, expires_at, code_hash)
  select i.id, '+12025550121', 'PHONE', 'LOGIN', false, 'sent', now(), now() + i.more, private.hash_code(i.id, '123456', pg_temp.key('aa'))
  from (values (gen_random_uuid(), interval '5 minutes'), (gen_random_uuid(), interval '-1 minute')) i (id, more);
select set_eq($$select kind, pepper_id, total from private.pepper_status()$$, $$values
  ('passwords', 'aaaaaaaaaaaaaaaa', 2::bigint), ('passwords', 'bbbbbbbbbbbbbbbb', 1), ('imported passwords', 'aaaaaaaaaaaaaaaa', 1),
  ('recovery codes', 'aaaaaaaaaaaaaaaa', 2), ('apps', 'bbbbbbbbbbbbbbbb', 1), ('registrations', 'aaaaaaaaaaaaaaaa', 1),
  ('codes', 'aaaaaaaaaaaaaaaa', 1)$$, 'each kind is counted by its pepper: not what was used or has ended');
select set_eq($$select kind, until is not null from private.pepper_status()$$, $$values
  ('passwords', false), ('imported passwords', false), ('recovery codes', false), ('apps', false), ('registrations', true), ('codes', true)$$,
  'codes and registrations end by themselves');
select * from finish();
rollback;
