create or replace function private.rate_limits_of(subject text)
returns setof platform.rate_limit
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select l.*
  from private.setting_definition d
  cross join lateral (
    select r.* from platform.rate_limit r
    where r.key = d.key || ':' || rate_limits_of.subject
    union all
    -- A range, as in private.clear_login_failures: keys that name something else after the subject. A flood from many clients is cut off.
    (
      select r.* from platform.rate_limit r
      where r.key >= d.key || ':' || rate_limits_of.subject || ' ' and r.key < d.key || ':' || rate_limits_of.subject || '!'
      order by r.key
      limit 100
    )
  ) l
  where d.kind in ('limit', 'limit or off')
$$;

comment on function private.rate_limits_of(text) is
$$What every limit has counted for a subject, alone or together with a client (100 of these per limit at most). subject: E.164, a
lower-cased email address, a client's address or a user's id.$$;
