begin;
select plan(3);
select test.clean_slate();
select test.import_account('+12025550101', 'its parameters');
create function pg_temp.error(foreign_prehash text) returns api.error language sql
as $$ select private.foreign_prehash_error(a, test.password_attempt(a.phone, foreign_prehash => foreign_prehash)) from "user".account a $$;
select is(pg_temp.error(null), private.error('FOREIGN_PREHASH_REQUIRED', '{"parameters": "its parameters"}'), 'an imported hash needs its pre-hash');
select is(pg_temp.error('prehash') is distinct from null, false, 'the pre-hash is requested once');
update "user".account set foreign_parameters = null;
select is(pg_temp.error(null) is distinct from null, false, 'a native hash needs none');
select * from finish();
rollback;
