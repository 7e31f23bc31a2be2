create or replace function private.rate_limits_of(subject text)
returns setof platform.rate_limit
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select l.*
  from private.setting_definition d
  cross join private.counted_identifier(rate_limits_of.subject) c (subject)
  cross join lateral (
    select r.* from platform.rate_limit r
    where r.key = d.key || ':' || c.subject
    union all
    -- A range, as in private.clear_login_failures: keys that name something else after the subject. A flood from many
    -- clients is cut off.
    (
      select r.* from platform.rate_limit r
      where r.key >= d.key || ':' || c.subject || ' ' and r.key < d.key || ':' || c.subject || '!'
      order by r.key
      limit 100
    )
  ) l
  where d.kind in ('limit', 'limit or off')
$$;

comment on function private.rate_limits_of(text) is
$$What every limit has counted for a subject, alone or together with a client (100 of these per limit at most). subject: E.164, an email
address, whose mailbox is counted (private.counted_identifier), a client's address or a user's id.$$;
