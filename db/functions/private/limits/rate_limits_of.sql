create or replace function private.rate_limits_of(subject text, most integer default 100)
returns setof platform.rate_limit
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select l.*
  from private.setting_definition d
  cross join (
    select private.counted_identifier(rate_limits_of.subject) as subject
    -- Failed logins with an email that is nobody's are counted for the address as it was typed.
    union
    select rate_limits_of.subject
  ) c
  cross join lateral (
    -- Two index scans per limit, not one condition with "or": that would read the whole table.
    select r.* from platform.rate_limit r
    where r.key = d.key || ':' || c.subject
    union all
    -- A range, as in private.clear_login_failures: keys that name something else after the subject.
    (
      select r.* from platform.rate_limit r
      where r.key >= d.key || ':' || c.subject || ' ' and r.key < d.key || ':' || c.subject || '!'
      order by r.key
      limit rate_limits_of.most
    )
  ) l
  where d.kind in ('limit', 'limit or off')
$$;

comment on function private.rate_limits_of(text, integer) is
$$What every limit has counted for a subject, alone or together with a client, of these so many per limit at most; null: all. subject: E.164, an email
address, whose mailbox is counted (private.counted_identifier), a client's address or a user's id.$$;
