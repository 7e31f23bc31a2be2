begin;
select plan(8);
select test.clean_slate();
select test.make_account('+12025550101');
create temp table read on commit drop as select a as account from "user".account a;

select ok((select private.admit_login(account, test.prehash('correct horse')) from read), 'while the hash compared is the stored one a login is admitted');
select is((select password_hash from "user".account), (select (account).password_hash from read), 'a hash at PASSWORD_HASH_COST stays');
select test.set_setting('PASSWORD_HASH_COST', '5');
select ok((select private.admit_login(account, test.prehash('correct horse')) from read), 'one at another cost is admitted too');
select ok((select password_hash like '$2a$05$%' and password_hash = crypto.crypt(test.prehash('correct horse'), password_hash) from "user".account),
  'and replaced by a hash of the same password at that cost');
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read), 'the hash compared is no longer the stored one: refused');
update "user".account set password_hash = null;
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read), 'where the password was taken away: refused');
select is((select password_hash from "user".account), null, 'and nothing is stored');
delete from "user".account;
select ok((select not private.admit_login(account, test.prehash('correct horse')) from read), 'where the account is gone: refused');

select * from finish();
rollback;
