create or replace function fraud.is_unusual(setting jsonb, unverified bigint, verified bigint)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Those that fraud.gather_facts counts.
  c_days constant integer := 14;
begin
  return unverified >= (setting ->> 'minimum')::bigint and unverified * c_days >= (setting ->> 'factor')::bigint * verified;
end
$$;

comment on function fraud.is_unusual(jsonb, bigint, bigint) is
$$Whether one more send would make the unverified ones more than the setting's minimum and more than factor times the daily verified ones.
unverified: of the last 24 clock hours. verified: of the 14 days before today.$$;
