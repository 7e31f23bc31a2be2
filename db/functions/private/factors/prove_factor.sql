create or replace function private.prove_factor(session_id uuid, amr text[])
returns "user".session
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_session "user".session;
begin
  update "user".session s
  set amr = private.add_to_amr(s.amr, prove_factor.amr),
      authenticated_at = clock_timestamp()
  where s.id = prove_factor.session_id
  returning s.* into v_session;
  return v_session;
end
$$;

comment on function private.prove_factor(uuid, text[]) is
$$Makes a session one whose user has just proved a second factor, beside how it signed in. amr: of the factor (RFC 8176).$$;
