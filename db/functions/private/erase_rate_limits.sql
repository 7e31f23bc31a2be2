create or replace function private.erase_rate_limits(subject text)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  with doomed as (
    select l.key
    from private.setting_definition d
    join platform.rate_limit l on l.key = d.key || ':' || erase_rate_limits.subject
      -- A range, as in private.clear_login_limits: keys that name something else after the subject.
      or (l.key >= d.key || ':' || erase_rate_limits.subject || ' ' and l.key < d.key || ':' || erase_rate_limits.subject || '!')
    where d.kind in ('limit', 'limit or off')
    order by l.key
    for update of l
  )
  delete from platform.rate_limit l using doomed where l.key = doomed.key
$$;

comment on function private.erase_rate_limits(text) is
$$Deletes what every limit has counted for a phone, an email address or a user's id, alone or together with a client.$$;
