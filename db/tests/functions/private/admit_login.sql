begin;
select plan(12);
select test.clean_slate();
select test.make_account('+12025550101');
create temp table read on commit drop as select a as account from "user".account a;

select ok((select private.admit_login(account, test.prehash('correct horse')) from read),
  'a login is admitted while the compared hash is the stored one');
select is((select password_hash from "user".account), (select (account).password_hash from read),
  'a hash at PASSWORD_HASH_COST is not replaced');
select test.set_setting('PASSWORD_HASH_COST', '5');
select ok((select private.admit_login(account, test.prehash('correct horse')) from read),
  'a login whose hash has another cost is admitted');
select ok((select password_hash like '$2a$05$%'
    and password_hash = crypto.crypt(test.prehash('correct horse'), password_hash) from "user".account),
  'a hash at another cost is replaced by one of the same password at PASSWORD_HASH_COST');
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read),
  'a login is refused when the stored hash has changed since the comparison');
update "user".account set password_hash = null;
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read),
  'a login is refused when the password was removed since the comparison');
select is((select password_hash from "user".account), null, 'a refused login stores no hash');
delete from "user".account;
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read),
  'a login is refused when the account was deleted since the comparison');

select test.clean_slate();
select test.set_setting('PASSWORD_HASH_COST', '4');
select test.import_account('+12025550102');
drop table read;
create temp table read on commit drop as select a as account from "user".account a;
select ok((select private.admit_login(account, test.prehash('correct horse')) from read), 'the first login after an import is admitted');
select ok((select foreign_parameters is null and password_hash = crypto.crypt(test.prehash('correct horse'), password_hash) from "user".account),
  'the first login replaces the imported hash by a native one, although that has the same cost');
select ok((select private.admit_login(account, test.prehash('correct horse')) from read), 'a second login that ran at the same time is admitted');
select test.clean_slate();
select test.import_account('+12025550102');
update "user".account set disabled_at = now(), disabled_reason = 'spam';
select ok((select not private.admit_login(a, test.prehash('correct horse')) and foreign_parameters is not null from "user".account a),
  'a refused login replaces no hash');

select * from finish();
rollback;
