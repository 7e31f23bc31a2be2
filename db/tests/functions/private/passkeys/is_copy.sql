begin;
select plan(6);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select test.make_passkey(id, '\x01', 7) from actor;
create function pg_temp.is_copy(sign_count bigint, is_signed boolean default true) returns boolean language sql
as $$ select private.is_copy(f, row('\x01', test.authenticator_data(is_copy.sign_count), null, is_copy.is_signed)::private.passkey_attempt) from "user".factor f $$;
select is(pg_temp.is_copy(8), false, 'a counter goes forward');
select is(pg_temp.is_copy(7), true, 'one that stands still is a copy''s');
select is(pg_temp.is_copy(0), true, 'and one that starts anew');
select is(pg_temp.is_copy(7, false), false, 'but only of who has the key');
update "user".factor set sign_count = 0;
select is(pg_temp.is_copy(0), false, 'one that never counts tells nothing');
select is(private.is_copy(null, row('\x01', test.authenticator_data(1), null, true)::private.passkey_attempt), false, 'no passkey is no copy');
select * from finish();
rollback;
