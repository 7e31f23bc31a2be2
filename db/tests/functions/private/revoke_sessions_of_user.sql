begin;
select plan(9);
select test.clean_slate();
create temp table account on commit drop as select test.make_account('+12025550101') as mine, test.make_account('+12025550102') as other;
select test.open_session(mine), test.open_session(mine), test.open_session(other), test.open_session(null) from account;
select test.open_session(null);
update "user".session s set revoked_at = now() - interval '1 day'
where s.id = (select min(s.id::text)::uuid from "user".session s, account where s.user_id = mine);
select is(private.revoke_sessions_of_user(mine), 1, 'the result is how many were live') from account;
select is((select count(*)::integer from "user".session s join account on s.user_id = mine where s.revoked_at is null), 0,
  'every session of the account is revoked');
select is((select count(*)::integer from "user".session s join account on s.user_id = mine where s.revoked_at = now() - interval '1 day'),
  1, 'a session that was revoked before keeps its revoked_at');
select is((select count(*)::integer from "user".session s join account on s.user_id = other where s.revoked_at is not null), 0,
  'sessions of another account are not revoked');
select is((select count(*)::integer from "user".session s where s.user_id is null and s.revoked_at is not null), 0,
  'guest sessions are not revoked');

create temp table kept on commit drop as select o.* from account, test.open_session(mine) o;
select test.open_session(mine), test.open_session(mine), test.open_session(mine) from account;
update "user".session set refresh_token_expires_at = clock_timestamp()
where id = (select max(s.id::text)::uuid from "user".session s join account on s.user_id = mine);
select is(private.revoke_sessions_of_user(mine, session_id), 2, 'an expired session is not counted as live') from account, kept;
select results_eq('select s.id from "user".session s join account on s.user_id = mine where s.revoked_at is null', 'select session_id from kept',
  'all but the kept session are revoked');
select is(private.revoke_sessions_of_user(mine, session_id), 0, 'a second call revokes none') from account, kept;
select is((select count(*)::integer from "user".session s join account on s.user_id = other where s.revoked_at is not null), 0,
  'still no session of another account is revoked');

select * from finish();
rollback;
