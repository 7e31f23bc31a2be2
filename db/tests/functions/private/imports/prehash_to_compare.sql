begin;
select plan(2);
select test.clean_slate();
select test.import_account('+12025550101');
create function pg_temp.prehash() returns text language sql
as $$ select private.prehash_to_compare(a, test.password_attempt(a.phone, 'typed', foreign_prehash => 'foreign')) from "user".account a $$;
select is(pg_temp.prehash(), 'foreign', 'an imported hash is compared with the pre-hash of the foreign one');
update "user".account set foreign_parameters = null;
select is(pg_temp.prehash(), test.prehash('typed'), 'a native one with that of the typed password, also if the other was sent');
select * from finish();
rollback;
