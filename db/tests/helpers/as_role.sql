-- Statements that run as one of our roles.

create or replace function test.call_as(role text, call text, answer anyelement)
returns anyelement
language plpgsql
as $$
begin
  perform set_config('role', call_as.role, true);
  execute 'select * from ' || call into strict answer;
  perform set_config('role', 'none', true);
  return answer;
end
$$;
comment on function test.call_as(text, text, anyelement) is
$$The result of a call that runs as a role. For roles that may not create the temporary table in which a test keeps the result.
answer: a null of the type that the call returns. An error where it returns no row, or several.$$;

create or replace function test.become(role text, user_id uuid default null, session_id uuid default null)
returns void
language plpgsql
as $$
begin
  perform set_config('role', 'none', true);
  perform private.seal_identity(jsonb_strip_nulls(jsonb_build_object(
    'sub', case become.role when 'latchkey_guest' then become.session_id else become.user_id end, 'sid', become.session_id,
    'role', substr(become.role, 10), 'user_type', substr(become.role, 10)
  )));
  perform set_config('role', become.role, true);
end
$$;
comment on function test.become(text, uuid, uuid) is $$Sets role and claims as a GraphQL request does. A test ends it with "reset role".$$;
