begin;
select plan(3);
select test.clean_slate();
create function pg_temp.is_imported(phone text, fingerprint text) returns boolean language sql
as $$ select private.imported_id(row(phone, null, null, null, null, sha256(fingerprint::bytea), null, null)::private.imported_user) is not null $$;
select ok(not pg_temp.is_imported('+12025550101', '+12025550101'), 'before its import a line is not imported');
select test.import_account('+12025550101');
select ok(pg_temp.is_imported('+12025550102', '+12025550101'), 'after its import a line is imported, whatever phone the account has');
select ok(not pg_temp.is_imported('+12025550101', 'another'), 'another line is not, whatever its phone');
select * from finish();
rollback;
