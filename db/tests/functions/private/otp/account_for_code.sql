begin;
select plan(4);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550102');
create function pg_temp.found(phone text) returns boolean language sql as $$ select (private.account_for_code(phone)).id is not null $$;
select is(pg_temp.found('+12025550101'), true, 'a code opens its phone''s account');
select is(pg_temp.found('+12025550102'), false, 'a phone that is not verified has none');
select test.recycle('+12025550101');
select is(pg_temp.found('+12025550101'), false, 'a code does not open an account that was not used for a long time');
select isnt((private.usable_account('+12025550101')).id, null, 'a password still opens such an account');

select * from finish();
rollback;
