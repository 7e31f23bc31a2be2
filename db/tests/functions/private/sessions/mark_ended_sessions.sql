begin;
select plan(8);
select test.clean_slate();
select test.set_setting('SESSIONS_PER_USER', '"off"');
create temp table account on commit drop as select test.make_account('+12025550101') as mine, test.make_account('+12025550102') as other;
select test.open_session(other) from account;
select is(private.mark_ended_sessions(), false, 'where no sessions ended all at once there is nothing to do');
select test.insert_sessions(mine, 2100) from account;
select count(*) from account, private.revoke_sessions_of_user(mine);
create temp table opened on commit drop as select o.session_id as id from account, test.open_session(mine) o;
create function pg_temp.unmarked() returns bigint language sql
as $$ select count(*) from "user".session s join account on s.user_id = mine where s.revoked_at is null $$;
select is(pg_temp.unmarked(), 1101::bigint, 'some rows do not say yet that their sessions have ended');
select is(private.mark_ended_sessions(), true, 'a call writes some of them');
select is(pg_temp.unmarked(), 101::bigint, 'a thousand at most');
select is(array[private.mark_ended_sessions(), private.mark_ended_sessions(), private.mark_ended_sessions()], array[true, true, false],
  'calls go on until none is left');
select is((select array_agg(s.id) from "user".session s join account on s.user_id = mine where s.revoked_at is null),
  (select array[id] from opened), 'a session that was opened since is not touched');
select is((select count(*)::integer from "user".account a where a.sessions_ended_at is not null), 0, 'the account is done');
select is((select count(*)::integer from "user".session s join account on s.user_id = other where s.revoked_at is not null), 0,
  'no other account''s session is touched');

select * from finish();
rollback;
