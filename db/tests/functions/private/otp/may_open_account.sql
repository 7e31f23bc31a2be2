begin;
select plan(6);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
update "user".account set disabled_at = now(), disabled_reason = 'test' where phone = '+12025550102';
select is(private.may_open_account('+12025550103'), true, 'a LOGIN code opens an account for a phone without one');
select is(private.may_open_account('+12025550101'), false, 'but not for a phone with an account');
select is(private.may_open_account('+12025550102'), false, 'nor for one with a disabled account');
select test.recycle('+12025550101');
select is(private.may_open_account('+12025550101'), true, 'a recycled phone gets a new account');
select test.set_setting('SIGNUP_BY_CODE', '"off"');
select is(private.may_open_account('+12025550103'), false, 'while SIGNUP_BY_CODE is off no code opens an account');
select is(private.may_open_account('+12025550101'), false, 'nor for a recycled phone');

select * from finish();
rollback;
