begin;
select plan(6);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550102');

select is((select id from private.usable_account('+12025550101')), (select id from "user".account where phone = '+12025550101'),
  'a phone may sign in to its account');
select is((select id from private.usable_account('+12025550102')), null, 'a phone that is not verified may sign in to none');
select is((select id from private.usable_account('+12025550103')), null, 'an unknown phone may sign in to none');

update "user".account set disabled_at = now(), disabled_reason = 'spam';
select is((select id from private.usable_account('+12025550101')), null, 'a phone may not sign in to an account that is disabled');
update "user".account set disabled_at = null, disabled_reason = null, deletion_due_at = clock_timestamp() + interval '10 seconds';
select isnt((select id from private.usable_account('+12025550101')), null, 'a phone may sign in to an account whose deletion is not due');
update "user".account set deletion_due_at = clock_timestamp();
select is((select id from private.usable_account('+12025550101')), null, 'a phone may not sign in to an account whose deletion is due');

select * from finish();
rollback;
