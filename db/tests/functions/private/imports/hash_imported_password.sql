begin;
select plan(5);
select test.clean_slate();
select test.set_setting('PASSWORD_HASH_COST', '6');
create function pg_temp.hash(prehash text, cost integer) returns text language sql
as $$ select private.hash_imported_password(row('+12025550101', null, prehash, 'its parameters', null, '\x01', null, null)::private.imported_user, cost) $$;
create temp table hash on commit drop as select pg_temp.hash(test.prehash('x'), 5) as hash;
select is((select crypto.crypt(test.prehash('x'), hash) from hash), (select hash from hash), 'bcrypt of the keyed pre-hash');
select is((select private.password_cost(hash) from hash), 5, 'at the cost that the caller names');
select is(private.password_cost(pg_temp.hash(test.prehash('x'), 7)), 6, 'but no higher than PASSWORD_HASH_COST');
select is(pg_temp.hash(null, 5), null, 'a line without a hash has none');
select test.import_account('+12025550101');
update "user".account set import_fingerprint = '\x01';
select is(pg_temp.hash(test.prehash('x'), 5), null, 'a line that was imported costs no bcrypt');
select * from finish();
rollback;
