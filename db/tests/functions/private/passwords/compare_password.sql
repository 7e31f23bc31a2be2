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

select is((select private.compare_password(test.prehash('correct horse'), password_hash) from hash where phone = '+12025550101'), true,
  'the stored password matches');
select is(test.bcrypt_rounds(), 128::bigint, 'a comparison that matches does the bcrypt work of the highest cost in use');
select is((select private.compare_password(test.prehash('incorrect'), password_hash) from hash where phone = '+12025550101'), false,
  'another password does not match');
select is(test.bcrypt_rounds(), 128::bigint, 'a comparison that does not match does the same bcrypt work');
select is(private.compare_password(test.prehash('correct horse'), null), false, 'without a stored hash no password matches');
select is(test.bcrypt_rounds(), 128::bigint, 'a comparison without a stored hash does the same bcrypt work');
select is((select private.compare_password(test.prehash('incorrect'), password_hash) from hash where phone = '+12025550102'), false,
  'another password does not match a hash at the highest cost');
select is(test.bcrypt_rounds(), 128::bigint, 'a comparison with a hash at the highest cost does its bcrypt work only once');
delete from "user".account;
select private.compare_password(test.prehash('correct horse'), null);
select is(test.bcrypt_rounds(), 16::bigint, 'without any account a comparison does the bcrypt work of PASSWORD_HASH_COST');
select test.set_setting('PASSWORD_HASH_COST', '6');
select private.compare_password(test.prehash('correct horse'), null);
select is(test.bcrypt_rounds(), 64::bigint, 'a change of PASSWORD_HASH_COST applies at once');

select * from finish();
rollback;
