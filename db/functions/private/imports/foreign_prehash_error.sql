create or replace function private.foreign_prehash_error(stored "user".account, attempt private.password_attempt)
returns api.error
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if stored.foreign_parameters is null or attempt.foreign_prehash is not null then
    return null;
  end if;
  return private.error('FOREIGN_PREHASH_REQUIRED', jsonb_build_object('parameters', stored.foreign_parameters));
end
$$;

comment on function private.foreign_prehash_error("user".account, private.password_attempt) is
$$Asks the server for the pre-hash of an imported hash: the server computes it by details.parameters and makes the same call again. Never
an answer to a client. stored: the account, or its decoy. Result: null where it is not needed.$$;
