begin;
select plan(9);
select test.clean_slate();
create temp table actor on commit drop as select gen_random_uuid() as alice, gen_random_uuid() as session_id;
create function pg_temp.actor_of(role text, type text, user_id uuid) returns text language plpgsql as $$
declare
  v_actor text;
begin
  execute format('set local session authorization %I', actor_of.role);
  v_actor := pg_temp.event_actor(actor_of.type, actor_of.user_id);
  set local session authorization default;
  return v_actor;
end
$$;
-- Entry points are definers, so they may call it whatever the session's role is.
create function pg_temp.event_actor(type text, user_id uuid) returns text language sql security definer
as $$ select private.event_actor(type, user_id) $$;

select is(pg_temp.actor_of(role, type, case when is_known then alice end), actor, format('%s, %s: %s', role, type, actor))
from actor, (values
  ('latchkey_server', 'session.opened', true, 'user'), ('latchkey_server', 'session.opened', false, 'guest'),
  ('latchkey_server', 'login.refused', true, 'guest'), ('latchkey_worker', 'otp.sent', true, 'system'),
  (session_user, 'setting.changed', false, 'operator:' || session_user)
) c (role, type, is_known, actor);
select test.become('latchkey_user', alice, session_id) from actor;
reset role;
select is(pg_temp.actor_of('latchkey_graphql', 'session.revoked', alice), 'user', 'GraphQL''s claims say who it is') from actor;
select test.become('latchkey_admin');
reset role;
select is(pg_temp.actor_of('latchkey_graphql', 'session.revoked', alice), 'admin', 'the admin among them') from actor;
select private.seal_identity(jsonb_build_object('sub', alice, 'user_type', 'user', 'actor', 'admin:bob')) from actor;
select is(pg_temp.actor_of('latchkey_graphql', 'session.revoked', alice), 'admin:bob', 'and who acts as somebody else') from actor;
select set_config('latchkey.identity', '{"user_type": "admin"}', true);
select is(pg_temp.actor_of('latchkey_graphql', 'session.revoked', alice), 'operator:latchkey_graphql', 'only sealed claims count') from actor;

select * from finish();
rollback;
