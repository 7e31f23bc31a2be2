create or replace function startup.confirm_signing_keys(kids text[])
returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  update private.signing_key k set opened_at = clock_timestamp() where k.kid = any (confirm_signing_keys.kids) and k.opened_at is null
$$;

comment on function startup.confirm_signing_keys(text[]) is
$$Records that a server has opened keys of startup.signing_keys with its KEY_ENCRYPTION_KEY: private.promote_signing_key wants one that can.
kids: those that it has opened.$$;
grant execute on function startup.confirm_signing_keys(text[]) to latchkey_server;
