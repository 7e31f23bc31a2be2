begin;
select plan(11);
select test.clean_slate();
select test.make_account('+12025550101', verified_at => now() - interval '1 year');
select test.make_account('+12025550102');
select test.recycle('+12025550101');
create temp table id on commit drop as select id from "user".account where phone = '+12025550101';
grant select on id to latchkey_admin;
select private.release_recycled_phone('+12025550101');

update "user".account set verified_by_test_code = true where phone is null;
select test.become('latchkey_admin');
select throws_ok($$update "user".account set phone = '555' where phone is null$$, '23514', null, 'a phone is E.164');
select throws_ok($$update "user".account set phone = '+12025550102' where phone is null$$, '23505', null, 'a phone has one account');
select lives_ok($$update "user".account set phone = '+12025550103' where id = (select id from id)$$, 'the admin gives a phone to an account that has none');
select throws_ok($$update "user".account set phone = '+12025550104' where id = (select id from id)$$, '23514', 'an admin can give a phone only to an account without one; the owner of any other account changes it by POST /auth/phone',
  'and cannot replace it');
select throws_ok($$update "user".account set phone = null where id = (select id from id)$$, '23514', null, 'nor take it away');
select lives_ok($$update "user".account set phone = '+12025550103', email = 'a@example.org' where id = (select id from id)$$, 'the same phone is no change');
reset role;
select is((select row(a.phone, a.phone_verified_at >= now(), a.updated_at >= now(), a.verified_by_test_code)::text from "user".account a join id using (id)), '(+12025550103,t,t,f)', 'the phone counts as verified now, and by no fixed code');
select isnt((private.account_for_code('+12025550103')).id, null, 'and the account as used: a code opens it');
select lives_ok($$update "user".account set phone = '+12025550105' where id = (select id from id)$$, 'the owner''s functions change a phone by its code');

update "user".account set phone = null where id = (select id from id);
select test.make_account('+525512345678');
select test.become('latchkey_admin');
select throws_ok($$update "user".account set phone = '+5215512345678' where phone is null$$, '23505', null, 'a number of a former plan is compared as it is today');
select results_eq($$update "user".account set phone = '+22997123456' where phone is null returning phone$$, array['+2290197123456'], 'and stored so');
reset role;

select * from finish();
rollback;
