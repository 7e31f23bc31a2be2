begin;
select plan(4);
select test.clean_slate();
select test.make_account('+12025550101');
create temp table session on commit drop as select s.session_id as id from "user".account a, test.open_session(a.id) s;
create function pg_temp.check() returns text language sql
as $$ select row(c.is_right, (c.error).details ->> 'reason')::text from session s, private.check_recent_sign_in(s.id) c $$;
select is(pg_temp.check(), '(t,)', 'right after signing in');
update "user".session set authenticated_at = clock_timestamp() - interval '10 minutes';
select is(pg_temp.check(), '(,recent_sign_in_required)', 'ten minutes later it is refused');
update "user".session set authenticated_at = null;
select is(pg_temp.check(), '(,recent_sign_in_required)', 'a session without a sign-in is refused');
update session set id = gen_random_uuid();
select is(pg_temp.check(), '(,recent_sign_in_required)', 'so is none');
select * from finish();
rollback;
