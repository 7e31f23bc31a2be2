create or replace function private.remember_client(account_id uuid, client text)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into private.known_client as k (account_id, client, logged_in_at)
  values (remember_client.account_id, remember_client.client, now())
  on conflict on constraint known_client_pkey do update set logged_in_at = excluded.logged_in_at
$$;

comment on function private.remember_client(uuid, text) is
$$Records that an account logged in from a client (see private.is_known_client). client: address as limits count it.$$;
