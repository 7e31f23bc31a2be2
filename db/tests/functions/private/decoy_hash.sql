begin;
select plan(6);
select test.clean_slate();
select test.set_setting('PASSWORD_HASH_COST', '5');
select test.make_account('+12025550110');
select test.set_setting('PASSWORD_HASH_COST', '6');
select test.make_account('+12025550120');
select is(private.password_cost(private.decoy_hash('+12025550105')), 5, 'a phone without an account takes the cost of the next one');
select is(private.password_cost(private.decoy_hash('+12025550115')), 6, 'another phone that of another');
select matches(private.decoy_hash('+12025550105'), '^\$2a\$[0-3][0-9]\$.{53}$', 'as a hash that the table would take');
select is(private.password_cost(private.decoy_hash('+12025550120')), 5, 'after the last account comes the first');
select isnt(crypto.crypt(test.prehash('correct horse'), private.decoy_hash('+12025550105')), private.decoy_hash('+12025550105'),
  'no password is compared with it and found right');
update "user".account set password_hash = null;
select is(private.decoy_hash('+12025550105'), null, 'where nobody has a password there is none');
select * from finish();
rollback;
