begin;
select plan(6);
select test.clean_slate();
select test.make_account('+12025550101');
select test.import_account('+12025550102');
create temp table read on commit drop as select a.phone, a as account from "user".account a;
create function pg_temp.still(phone text, password text default 'correct horse') returns boolean language sql
as $$ select private.is_compared_password(a, r.account, test.prehash(password)) from "user".account a join read r using (phone) where a.phone = still.phone $$;
select ok(pg_temp.still('+12025550101', 'any'), 'an unchanged hash is the compared one');
select ok(pg_temp.still('+12025550102', 'any'), 'so is an imported one');
update "user".account set password_hash = private.hash_password(test.prehash('correct horse')), foreign_parameters = null;
select ok(pg_temp.still(phone), 'the hash of ' || phone || ' may have been renewed for the same password') from read order by phone;
select ok(not pg_temp.still('+12025550102', 'another'), 'a hash of another password is not the compared one');
update "user".account set password_hash = null;
select ok(not coalesce(pg_temp.still('+12025550102'), false), 'and a password that was removed is no longer the compared one');
select * from finish();
rollback;
