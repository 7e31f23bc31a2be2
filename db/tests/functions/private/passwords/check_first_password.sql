begin;
select plan(5);
select test.clean_slate();
select test.make_account('+12025550101');
create temp table session on commit drop as select s.session_id as id from "user".account a, test.open_session(a.id) s;
create function pg_temp.check() returns text language sql
as $$ select row(c.is_right, (c.error).details ->> 'reason')::text from session s, "user".account a, private.check_first_password(a, s.id) c $$;
select is(pg_temp.check(), '(,login_refused)', 'an account with a password cannot set a first one');
update "user".account set password_hash = null;
select is(pg_temp.check(), '(t,)', 'an account without one sets it right after signing in');
update "user".session set authenticated_at = clock_timestamp() - interval '10 minutes';
select is(pg_temp.check(), '(,recent_sign_in_required)', 'ten minutes after signing in it is refused');
update "user".session set authenticated_at = null;
select is(pg_temp.check(), '(,recent_sign_in_required)', 'a session without a sign-in is refused');
delete from session;
insert into session values (gen_random_uuid());
select is(pg_temp.check(), '(,recent_sign_in_required)', 'it is refused without a session');

select * from finish();
rollback;
