begin;
select plan(3);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550102');

select is((select id from private.usable_account('+12025550101')), (select id from "user".account where phone = '+12025550101'),
  'a phone may sign in to its account');
select is(private.usable_account('+12025550102')::text, '(,,,,,,,)', 'a phone that is not verified may sign in to none');
select is((select id from private.usable_account('+12025550103')), null, 'an unknown phone may sign in to none');

select * from finish();
rollback;
