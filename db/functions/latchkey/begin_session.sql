create or replace function latchkey.begin_session(claims jsonb)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_claims jsonb := private.token_claims(begin_session.claims);
begin
  if session_user in ('latchkey_graphql', 'latchkey_graphql_b') then
    raise exception 'latchkey.begin_session is for connections of the application: GraphQL''s program has said who the caller is'
      using errcode = 'insufficient_privilege';
  end if;
  if v_claims is null and begin_session.claims is not null then
    raise exception 'these are not the claims of a valid access token of this service'
      using errcode = 'invalid_parameter_value',
        hint = 'Pass the whole payload of an access token that has been verified: sub, sid, user_type, token_use, iss and exp.';
  end if;
  perform private.seal_identity(coalesce(v_claims, '{}'));
end
$$;

comment on function latchkey.begin_session(jsonb) is
$$Makes the holder of an access token the caller until the transaction ends: call it first in each transaction of a connection of the application,
which must have verified the token: whoever may call this is the operator's own program and could name any session, so what the claims leave out
(iss, token_use, exp) is not asked for. claims: the token's payload; null for nobody. An error for the claims of another token.$$;
grant execute on function latchkey.begin_session(jsonb) to latchkey_application;
