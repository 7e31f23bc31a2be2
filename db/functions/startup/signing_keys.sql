create or replace function startup.signing_keys()
returns table (kid text, algorithm text, sealed_key bytea, encryption_key_id text, state text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select k.kid, k.algorithm, k.sealed_key, k.encryption_key_id, k.state
  from private.signing_key k
  where k.verifies_until is null or k.verifies_until > clock_timestamp()
  order by array_position(array['current', 'next', 'retired'], k.state), k.created_at desc
$$;

comment on function startup.signing_keys() is
$$The keys of npm run keys that verify, the one that signs first. Still encrypted: the server alone has KEY_ENCRYPTION_KEY.$$;
grant execute on function startup.signing_keys() to latchkey_server;
