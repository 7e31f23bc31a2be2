create or replace function private.foreign_prehash_error(stored private.stored_password, foreign_prehash text)
returns api.error
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select private.error('FOREIGN_PREHASH_REQUIRED', jsonb_build_object('parameters', stored.foreign_parameters))
  where stored.foreign_parameters is not null and foreign_prehash_error.foreign_prehash is null
$$;

comment on function private.foreign_prehash_error(private.stored_password, text) is
$$Asks the server for the pre-hash of an imported hash: the server computes it by details.parameters and makes the same call again. Never
an answer to a client. foreign_prehash: as the server sent it; null: not yet. Result: null where it is not needed.$$;
