create or replace function latchkey.begin_request(claims jsonb)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Both times are those of one message only if this call came with BEGIN, ahead of all functions of the application.
  if statement_timestamp() <> now() then
    raise exception 'latchkey.begin_request belongs to the message that begins the transaction' using errcode = 'insufficient_privilege';
  end if;
  perform private.seal_identity(begin_request.claims);
end
$$;

comment on function latchkey.begin_request(jsonb) is
$$GraphQL's program says whose request the transaction is, before it takes on the request's role. claims: sub, sid, role, user_type and those of
hook.claims.$$;
grant execute on function latchkey.begin_request(jsonb) to latchkey_graphql;
