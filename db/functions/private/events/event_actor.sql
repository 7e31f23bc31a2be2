create or replace function private.event_actor(type text, user_id uuid)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Anybody can cause these with somebody else's phone.
  c_unproved constant text[] := array[
    'account.registered', 'login.refused', 'otp.sent', 'otp.send_failed', 'otp.refused', 'otp.blocked', 'limit.exceeded'
  ];
  v_claims jsonb;
begin
  if session_user in ('latchkey_server', 'latchkey_server_b') then
    return case when event_actor.user_id is null or event_actor.type = any (c_unproved) then 'guest' else 'user' end;
  end if;
  if session_user in ('latchkey_worker', 'latchkey_worker_b') then
    return 'system';
  end if;
  v_claims := private.caller_claims();
  return coalesce(
    'admin:' || private.admin_name(),
    -- An admin who acts as a user. Elsewhere a hook may add any claim.
    case when session_user in ('latchkey_graphql', 'latchkey_graphql_b') then v_claims ->> 'actor' end,
    v_claims ->> 'user_type',
    'operator:' || session_user
  );
end
$$;

comment on function private.event_actor(text, uuid) is
$$Who does what an event of this transaction tells, as column actor of platform.event has it. The server's and the worker's roles say it, and
for GraphQL its sealed claims (latchkey.begin_request): the admin, with the name of its secret, also one who acts as somebody else. Everybody else is an
operator with SQL.
type, user_id: of the event.$$;
