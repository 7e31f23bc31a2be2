begin;
select plan(11);
select test.clean_slate();
select test.make_account('+12025550101');
create temp table read on commit drop as select a as account from "user".account a;

select ok((select private.admit_login(account, test.prehash('correct horse')) from read),
  'a login is admitted while the compared hash is the stored one');
select is((select password_hash from "user".account), (select (account).password_hash from read), 'the stored hash is not changed');
update "user".account set password_hash = private.hash_password(test.prehash('correct horse'));
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read),
  'a login is refused when the stored hash has changed since the comparison');
update "user".account set password_hash = null;
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read),
  'a login is refused when the password was removed since the comparison');
update "user".account set password_hash = (account).password_hash, phone = '+12025550109' from read;
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read),
  'a login is refused when the phone has changed since the comparison');
delete from "user".account;
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read),
  'a login is refused when the account was deleted since the comparison');

select test.clean_slate();
select test.import_account('+12025550102');
drop table read;
create temp table read on commit drop as select a as account from "user".account a;
select ok((select private.admit_login(account, test.prehash('correct horse')) from read), 'the first login after an import is admitted');
update "user".account set password_hash = private.hash_password(test.prehash('correct horse')), foreign_parameters = null;
select ok((select private.admit_login(account, test.prehash('correct horse')) from read), 'a second login that ran at the same time is admitted');
select ok((select not private.admit_login(account, test.prehash('another')) from read), 'but not one with another password');
update "user".account set foreign_parameters = 'others';
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read), 'nor after another import');
update "user".account set foreign_parameters = null;
update "user".account set disabled_at = now(), disabled_reason = 'spam';
select ok((select not private.admit_login(a, test.prehash('correct horse')) from "user".account a), 'a login to a disabled account is refused');

select * from finish();
rollback;
