create or replace function private.erase_rate_limits(subject text)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  with doomed as (
    select l.key
    from platform.rate_limit l
    where l.key = any (array(select r.key from private.rate_limits_of(erase_rate_limits.subject, null) r))
    order by l.key
    for update
  )
  delete from platform.rate_limit l using doomed where l.key = doomed.key
$$;

comment on function private.erase_rate_limits(text) is
$$Deletes what every limit has counted for a phone, an email address or a user's id, alone or together with a client: of an email address
what is counted for its mailbox, under every spelling (private.counted_identifier).$$;
