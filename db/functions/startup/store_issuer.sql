create or replace function startup.store_issuer(issuer text)
returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into private.installation as i (token_issuer) values (store_issuer.issuer)
  on conflict on constraint installation_pkey do update
  set token_issuer = excluded.token_issuer where i.token_issuer is distinct from excluded.token_issuer
$$;

comment on function startup.store_issuer(text) is
$$A server that starts stores JWT_ISSUER, so that claims of another issuer's token name nobody (private.token_claims). issuer: claim iss.$$;
grant execute on function startup.store_issuer(text) to latchkey_server;
