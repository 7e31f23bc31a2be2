create or replace function private.before_register(phone text, client text)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.hook_refusal(
    private.call_hook('before_register', array['text', 'text'], 'text', before_register.phone, before_register.client)
  );
end
$$;

comment on function private.before_register(text, text) is
$$Whether hook.before_register refuses that a phone registers. Called for every phone, with an account or without, so that the answer tells nothing
of accounts. client: address as limits count it. Errors: INVALID_REQUEST (details.reason refused_by_hook, details.hookReason).$$;
