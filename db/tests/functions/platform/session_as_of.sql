begin;
select plan(12);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
create temp table one on commit drop as select o.session_id as id from actor, test.open_session(alice) o;
create temp table two on commit drop as select o.session_id as id from actor, test.open_session(alice) o;
create temp table before on commit drop as select clock_timestamp() as at;
grant select on actor, one, two to public;
create function pg_temp.story(id uuid, at timestamptz default null) returns text[] language sql as $$
  select array_agg(e.type || coalesce(' ' || (e.data ->> 'reason'), '')) from platform.session_as_of(story.id, story.at) e
$$;

select is(pg_temp.story(id), array['session.opened'], 'a session that was opened') from one;
-- As the owner, which our entry points run as.
set local role latchkey_owner;
select private.revoke_session(id, 'logged_out') from one;
reset role;
select is(pg_temp.story(id), array['session.opened', 'session.revoked logged_out'], 'and revoked') from one;
select is(pg_temp.story(one.id, before.at), array['session.opened'], 'was not yet a moment before') from one, before;
select is(pg_temp.story(one.id, e.at), array['session.opened', 'session.revoked logged_out'], 'and is at that moment')
from one join platform.event e on e.session_id = one.id where e.type = 'session.revoked';
select is(pg_temp.story(id), array['session.opened'], 'which is no matter of another one') from two;
set local role latchkey_owner;
select count(*) from actor, private.revoke_sessions_of_user(alice, '{}', 'password_reset');
reset role;
delete from "user".session;
select is(pg_temp.story(id), array['session.opened', 'session.revoked password_reset'], 'one that ended with all of its user''s, whose row is deleted') from two;
create temp table kept on commit drop as select o.session_id as id from actor, test.open_session(alice) o;
select test.open_session(alice) from actor;
select count(*) from actor, kept, private.revoke_sessions_of_user(alice, array[kept.id], 'password_changed');
select is(pg_temp.story(id), array['session.opened'], 'one that was kept') from kept;
select test.set_setting('EVENT_GUEST_SESSIONS', '"on"');
create temp table guest on commit drop as select o.session_id as id from test.open_session(null) o;
grant select on guest to public;
set local role latchkey_owner;
select private.revoke_session(id, 'promoted') from guest;
reset role;
select is(pg_temp.story(id), array['session.opened', 'session.revoked promoted'], 'a guest''s') from guest;
select is(pg_temp.story(guest.id, e.at), array['session.opened'], 'a guest''s was not yet revoked when it was opened')
from guest join platform.event e on e.session_id = guest.id where e.type = 'session.opened';
select is(pg_temp.story(guest.id, e.at), array['session.opened', 'session.revoked promoted'], 'and was at the moment of its end')
from guest join platform.event e on e.session_id = guest.id where e.type = 'session.revoked';
select is(pg_temp.story(gen_random_uuid()), null, 'no session has no story');

select is_empty($$select platform.session_as_of(gen_random_uuid(), 'infinity') union all select platform.session_as_of(gen_random_uuid(), '-infinity')$$,
  'an infinite time is one');
select * from finish();
rollback;
