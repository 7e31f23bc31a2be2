create or replace function private.erase_rate_limits(subject text)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  with doomed as (
    select l.key
    from platform.rate_limit l
    where l.key = any (array(
      select f.key
      from private.setting_definition d
      cross join private.counted_identifier(erase_rate_limits.subject) c (subject)
      -- Two index scans per limit, not one condition with "or": that would read the whole table.
      cross join lateral (
        select e.key from platform.rate_limit e where e.key = d.key || ':' || c.subject
        union all
        -- A range, as in private.clear_login_failures: keys that name something else after the subject.
        select r.key from platform.rate_limit r
        where r.key >= d.key || ':' || c.subject || ' ' and r.key < d.key || ':' || c.subject || '!'
      ) f
      where d.kind in ('limit', 'limit or off')
    ))
    order by l.key
    for update
  )
  delete from platform.rate_limit l using doomed where l.key = doomed.key
$$;

comment on function private.erase_rate_limits(text) is
$$Deletes what every limit has counted for a phone, an email address or a user's id, alone or together with a client: of an email address
what is counted for its mailbox, under every spelling (private.counted_identifier).$$;
