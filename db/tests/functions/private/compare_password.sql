begin;
select plan(10);
select test.clean_slate();
select test.set_setting('PASSWORD_HASH_COST', '5');
select test.make_account('+12025550101');
select test.set_setting('PASSWORD_HASH_COST', '7');
select test.make_account('+12025550102');
select test.set_setting('PASSWORD_HASH_COST', '4');
select test.watch_bcrypt();
create temp table hash on commit drop as select phone, password_hash from "user".account;

select is((select private.compare_password(test.prehash('correct horse'), password_hash) from hash where phone = '+12025550101'), true, 'the password is the stored one');
select is(test.bcrypt_rounds(), 128::bigint, 'which takes the work of the highest cost in use');
select is((select private.compare_password(test.prehash('incorrect'), password_hash) from hash where phone = '+12025550101'), false, 'another is not');
select is(test.bcrypt_rounds(), 128::bigint, 'after the same work');
select is(private.compare_password(test.prehash('correct horse'), null), false, 'where nothing is stored none is');
select is(test.bcrypt_rounds(), 128::bigint, 'after the same work');
select is((select private.compare_password(test.prehash('incorrect'), password_hash) from hash where phone = '+12025550102'), false, 'at the highest cost itself');
select is(test.bcrypt_rounds(), 128::bigint, 'it is that work once');
delete from "user".account;
select private.compare_password(test.prehash('correct horse'), null);
select is(test.bcrypt_rounds(), 16::bigint, 'with no account at all it is the work of PASSWORD_HASH_COST');
select test.set_setting('PASSWORD_HASH_COST', '6');
select private.compare_password(test.prehash('correct horse'), null);
select is(test.bcrypt_rounds(), 64::bigint, 'a cost changed by SQL bites at once');

select * from finish();
rollback;
