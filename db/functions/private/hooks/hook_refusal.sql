create or replace function private.hook_refusal(reason text)
returns api.error
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  if reason is null then
    return null;
  end if;
  return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'refused_by_hook', 'hookReason', left(reason, 200)));
end
$$;

comment on function private.hook_refusal(text) is
$$The error of a request that a hook refuses; null for null. reason: the hook's answer, of which a client sees 200 characters.$$;
