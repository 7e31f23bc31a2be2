begin;
select plan(6);
select test.clean_slate();
select test.set_setting('PASSWORD_HASH_COST', '5');
select test.make_account('+12025550110');
select test.set_setting('PASSWORD_HASH_COST', '6');
select test.make_account('+12025550120');
select is(private.password_cost(private.decoy_hash('+12025550105')), 5,
  'the decoy hash of a phone without an account has the cost of the next account in the order of phones');
select is(private.password_cost(private.decoy_hash('+12025550115')), 6,
  'the decoy hash of another phone has the cost of another account');
select matches(private.decoy_hash('+12025550105'), '^\$2a\$[0-3][0-9]\$.{53}$',
  'a decoy hash has the form that the table''s constraint requires');
select is(private.password_cost(private.decoy_hash('+12025550120')), 5,
  'after the last account the order of phones starts again with the first');
select isnt(crypto.crypt(test.prehash('correct horse'), private.decoy_hash('+12025550105')), private.decoy_hash('+12025550105'),
  'a password does not match a decoy hash');
update "user".account set password_hash = null;
select is(private.decoy_hash('+12025550105'), null, 'when no account has a password the decoy hash is null');
select * from finish();
rollback;
