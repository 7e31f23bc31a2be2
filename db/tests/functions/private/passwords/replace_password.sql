begin;
select plan(16);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
select test.make_registration('+12025550103');
select test.open_session(a.id) from "user".account a;
insert into platform.rate_limit (key) values ('LOGIN_FAILURES_PER_PHONE:+12025550101'), ('LOGIN_FAILURES_PER_PHONE:+12025550103');
create temp table before on commit drop as select * from "user".account;

select is(private.replace_password('+12025550101', test.prehash('new'), null), true, 'replace_password returns true for an account');
select ok((select password_hash = crypto.crypt(test.prehash('new'), password_hash) from "user".account where phone = '+12025550101'),
  'the new password is stored as a bcrypt hash');
select is((select array_agg(a.phone) from "user".session s join "user".account a on a.id = s.user_id where s.revoked_at is not null),
  array['+12025550101'], 'the account''s sessions are revoked, and no other');
select is((select array_agg(key) from platform.rate_limit), array['LOGIN_FAILURES_PER_PHONE:+12025550103'],
  'the phone''s failed logins are deleted, and no other');
select ok((select updated_at >= now() from "user".account where phone = '+12025550101'), 'updated_at is set');
select is(private.replace_password('+12025550103', test.prehash('new'), null), false,
  'replace_password returns false for an unverified phone');
select is(private.replace_password('+12025550104', test.prehash('new'), null), false,
  'replace_password returns false for an unknown phone');
select results_eq('select * from "user".account where phone <> ''+12025550101'' order by phone',
  'select * from before where phone <> ''+12025550101'' order by phone',
  'replace_password changes no other account');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550103') is not null and (select count(*) = 1 from platform.rate_limit), true,
  'without an account no failed logins are deleted');

select test.import_account('+12025550105');
select private.replace_password('+12025550105', test.prehash('new'), null);
select ok((select foreign_parameters is null and password_hash = crypto.crypt(test.prehash('new'), password_hash) from "user".account
  where phone = '+12025550105'), 'an imported hash is replaced with its parameters');

-- Fixed codes
create temp table otp on commit drop as select * from test.store_test_otp('+12025550105', 'PASSWORD_RESET');
select is(private.replace_password('+12025550105', test.prehash('fixed'), id), false, 'a fixed code sets no password of an account that was confirmed otherwise') from otp;
update "user".account set verified_by_test_code = true where phone = '+12025550105';
select is(private.replace_password('+12025550105', test.prehash('fixed'), id), true, 'it sets that of an account that a fixed code confirmed') from otp;
select is((select verified_by_test_code from "user".account where phone = '+12025550105'), true, 'which stays one');
select private.replace_password('+12025550105', test.prehash('sent'), gen_random_uuid());
select is((select verified_by_test_code from "user".account where phone = '+12025550105'), false, 'until a code that was sent sets one');

-- An account that is deleted while bcrypt runs. The trigger makes the update find no row, as the deletion would.
create function pg_temp.skip_update() returns trigger language plpgsql as 'begin return null; end';
create trigger skip_update before update on "user".account for each row execute function pg_temp.skip_update();
select is(private.replace_password('+12025550102', test.prehash('new'), null), false,
  'replace_password returns false for an account that is deleted during the hashing');
select is((select count(*)::integer from "user".session s join "user".account a on a.id = s.user_id
    where a.phone = '+12025550102' and s.revoked_at is not null),
  0, 'no session is revoked when the account is deleted during the hashing');

select * from finish();
rollback;
