begin;
select plan(6);
select test.clean_slate();
select test.make_account(phone) from unnest(array['+2290197123456', '+12025550101']) phone;
set local role latchkey_admin;
select is((select phone from "user".find_account('+22997123456')), '+2290197123456', 'the account is found by the number of a former plan');
select is((select phone from "user".find_account('+2290197123456')), '+2290197123456', 'and by that of today''s');
select is_empty($$select from "user".find_account('+12025550102')$$, 'a phone without an account finds none');
reset role;
select test.make_account('+22997123456');
set local role latchkey_admin;
select is((select array_agg(phone) from "user".find_account('+22997123456')), array['+22997123456', '+2290197123456'],
  'two while another account has the former number, the one as written first');
select is((select array_agg(phone) from "user".find_account('+2290197123456')), array['+2290197123456'], 'today''s number finds its own account only');
set local role latchkey_user;
select throws_ok($$select "user".find_account('+12025550101')$$, '42501', null, 'a user may not look for accounts');
reset role;
select * from finish();
rollback;
