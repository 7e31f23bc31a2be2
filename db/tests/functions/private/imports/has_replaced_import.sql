begin;
select plan(5);
select test.clean_slate();
select test.import_account('+12025550102');
create temp table read on commit drop as select a as account from "user".account a;
create function pg_temp.replaced(password text) returns boolean language sql
as $$ select private.has_replaced_import(a, r.account, test.prehash(password)) from "user".account a, read r $$;
select is(pg_temp.replaced('correct horse'), false, 'an import that no login has replaced yet is as it was');
update "user".account set password_hash = private.hash_password(test.prehash('correct horse'));
select is(pg_temp.replaced('correct horse'), true, 'a login at the same time has replaced it by the hash of the same password');
select is(pg_temp.replaced('another'), false, 'a new hash of another password is not that of the same login');
update "user".account set foreign_parameters = 'others';
select is(pg_temp.replaced('correct horse'), false, 'nor is another import');
update "user".account set foreign_parameters = null;
update read set account = a from "user".account a;
select is(pg_temp.replaced('correct horse'), false, 'a password that was not imported was replaced by no such login');
select * from finish();
rollback;
