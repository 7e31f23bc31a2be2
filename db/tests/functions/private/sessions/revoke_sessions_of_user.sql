begin;
select plan(22);
select test.clean_slate();
create temp table account on commit drop as select test.make_account('+12025550101') as mine, test.make_account('+12025550102') as other;
select test.open_session(mine), test.open_session(mine), test.open_session(other), test.open_session(null) from account;
select test.open_session(null);
update "user".session s set revoked_at = now() - interval '1 day'
where s.id = (select min(s.id::text)::uuid from "user".session s, account where s.user_id = mine);
select is((select count(*)::integer from account, private.revoke_sessions_of_user(mine) r where r.revoked_at is not null), 1,
  'the result is what was revoked');
select is((select count(*)::integer from "user".session s join account on s.user_id = mine where s.revoked_at is null), 0,
  'every session of the account is revoked');
select is((select count(*)::integer from "user".session s join account on s.user_id = mine where s.revoked_at = now() - interval '1 day'),
  1, 'a session that was revoked before keeps its revoked_at');
select is((select count(*)::integer from "user".session s join account on s.user_id = other where s.revoked_at is not null), 0,
  'sessions of another account are not revoked');
select is((select count(*)::integer from "user".session s where s.user_id is null and s.revoked_at is not null), 0,
  'guest sessions are not revoked');
select is((select a.session_epoch from "user".account a join account on a.id = other), 0, 'nor does anything change in the other account');

create temp table kept on commit drop as select o.* from account, test.open_session(mine) o;
select test.open_session(mine), test.open_session(mine), test.open_session(mine) from account;
select is((select count(*)::integer from account, kept, private.revoke_sessions_of_user(mine, array[session_id])), 3,
  'a session that is kept is not in the result');
create function pg_temp.live() returns setof uuid language sql
as $$ select s.id from "user".session s join account on s.user_id = mine where private.session_error(s) is null $$;
select results_eq('select pg_temp.live()', 'select session_id from kept', 'all but the kept session are revoked');
select is((select count(*)::integer from account, kept, private.revoke_sessions_of_user(mine, array[session_id])), 0,
  'a second call revokes none');
select results_eq('select pg_temp.live()', 'select session_id from kept', 'and keeps it again');
select is((select count(*)::integer from "user".session s join account on s.user_id = other where s.revoked_at is not null), 0,
  'still no session of another account is revoked');
create temp table opened on commit drop as select o.* from account, test.open_session(mine) o;
select set_eq('select pg_temp.live()', 'select session_id from kept union select session_id from opened',
  'a session that is opened afterwards, in the same transaction, is live');
select private.revoke_session(session_id) from opened;
select count(*) from account, opened, private.revoke_sessions_of_user(mine, array[session_id]);
select is_empty('select pg_temp.live()', 'a session that ended before is not live again because it is to be kept');

-- More than are written at once
select test.set_setting('SESSIONS_PER_USER', '"off"');
select test.insert_sessions(mine, 1200) from account;
create temp table many on commit drop as select l.id, row_number() over (order by md5(l.id::text)) < 200 as is_old from pg_temp.live() l (id);
update "user".session s set created_at = s.created_at - interval '1 day' from many m where m.id = s.id and m.is_old;
select is((select count(*)::integer from pg_temp.live()), 1200, 'there are 1200 live sessions');
select is((select count(*)::integer from account, private.revoke_sessions_of_user(mine)), 1000, 'a call writes a thousand of them');
select is_empty('select pg_temp.live()', 'and ends them all');
select set_eq('select s.id from "user".session s join account on s.user_id = mine where s.revoked_at is null',
  'select m.id from many m where m.is_old or m.id = (select min(y.id::text)::uuid from many y where not y.is_old)',
  'the oldest are left to the clean-up, and of one moment the one with the lowest id');

-- A change of phone that a session asked for without the password
select test.clean_slate();
create temp table asking on commit drop as select o.session_id, o.user_id from test.open_session(test.make_account('+12025550101')) o;
insert into private.phone_recovery select user_id, '+12025550103', session_id, now(), now() from asking;
select private.revoke_sessions_of_user(user_id, array[session_id]) from asking;
select is((select count(*)::integer from private.phone_recovery), 1, 'a change of phone that the kept session asked for waits on');
select private.revoke_sessions_of_user(user_id) from asking;
select is((select count(*)::integer from private.phone_recovery), 0, 'one that a revoked session asked for is stopped');

-- One event, however many there are. As the owner, which our entry points run as.
create temp table of_events on commit drop as select test.make_account('+12025550109') as id;
create temp table kept_one on commit drop as select o.session_id as id from of_events, test.open_session(of_events.id) o;
select test.open_session(id), test.open_session(id) from of_events;
grant select on of_events, kept_one to public;
select test.forget_events();
set local role latchkey_owner;
select count(*) from of_events e, kept_one k, private.revoke_sessions_of_user(e.id, array[k.id], 'a_reason');
reset role;
select is(test.events(), (select array[format('session.revoked {"kept": ["%s"], "reason": "a_reason", "sessions": 2}', id)] from kept_one), 'all of them are one event');
select is((select row(e.user_id, e.session_id)::text from platform.event e), (select row(id, null)::text from of_events), 'of the account');
select test.forget_events(), private.revoke_sessions_of_user(e.id, array[k.id]) from of_events e, kept_one k;
select is(test.events(), '{}', 'which there is not where none ended');
select * from finish();
rollback;
