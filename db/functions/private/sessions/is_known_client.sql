create or replace function private.is_known_client(identifier text, client text)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Looked up where there is no account: otherwise the time would tell that there is none.
  c_nobody constant uuid := uuid '00000000-0000-0000-0000-000000000000';
begin
  return exists (
    select
    from private.known_client k
    where k.account_id = coalesce((private.usable_account(is_known_client.identifier)).id, c_nobody)
      and k.client = is_known_client.client
      and k.logged_in_at > now() - private.known_client_lifetime()
  );
end
$$;

comment on function private.is_known_client(text, text) is
$$Whether the account of a phone, or verified email, logged in from a client within private.known_client_lifetime(). False where there is no usable account: callers
must give the same answer to everyone who has neither code nor password. identifier: E.164 or lower-cased email. client: address as limits count it.$$;
