begin;
select plan(11);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
select test.make_registration('+12025550103');
select private.open_session(a.id) from "user".account a;
insert into platform.rate_limit (key) values ('LOGIN_FAILURES_PER_PHONE:+12025550101'), ('LOGIN_FAILURES_PER_PHONE:+12025550103');
create temp table before on commit drop as select * from "user".account;

select is(private.replace_password('+12025550101', test.prehash('new')), true, 'a verified account gets a new password');
select ok((select password_hash = crypto.crypt(test.prehash('new'), password_hash) from "user".account where phone = '+12025550101'), 'which is stored hashed');
select is((select array_agg(a.phone) from "user".session s join "user".account a on a.id = s.user_id where s.revoked_at is not null), array['+12025550101'],
  'its sessions are revoked, and nobody else''s');
select is((select array_agg(key) from platform.rate_limit), array['LOGIN_FAILURES_PER_PHONE:+12025550103'], 'its failed logins are forgotten');
select ok((select updated_at >= now() from "user".account where phone = '+12025550101'), 'and the change is dated');
select is(private.replace_password('+12025550103', test.prehash('new')), false, 'an unverified account gets none');
select is(private.replace_password('+12025550104', test.prehash('new')), false, 'nor does a phone without one');
select results_eq('select * from "user".account where phone <> ''+12025550101'' order by phone', 'select * from before where phone <> ''+12025550101'' order by phone',
  'and nothing is stored for these');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550103') is not null and (select count(*) = 1 from platform.rate_limit), true, 'nor forgotten');

-- An account that is deleted while bcrypt runs: the update finds no row.
create function pg_temp.leave_out() returns trigger language plpgsql as 'begin return null; end';
create trigger leave_out before update on "user".account for each row execute function pg_temp.leave_out();
select is(private.replace_password('+12025550102', test.prehash('new')), false, 'an account that is deleted meanwhile gets none');
select is((select count(*)::integer from "user".session s join "user".account a on a.id = s.user_id where a.phone = '+12025550102' and s.revoked_at is not null),
  0, 'and no session of it is revoked');

select * from finish();
rollback;
