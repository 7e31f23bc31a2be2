create or replace function private.add_to_amr(amr text[], factor_amr text[])
returns text[]
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select m.method
    from unnest(coalesce(add_to_amr.amr, '{}') || add_to_amr.factor_amr || array['mfa']) with ordinality m (method, position)
    group by m.method order by min(m.position)
  )
$$;

comment on function private.add_to_amr(text[], text[]) is
$$How a user signed in, after it has proved a second factor too: each method once, as a code of an email and one of an app are the same one
(RFC 8176). amr: of the first factor, or null. factor_amr: of the second one.$$;
