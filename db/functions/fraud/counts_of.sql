create or replace function fraud.counts_of(subject text, hour timestamptz, day timestamptz, out unverified bigint, out verified bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  select (
    select coalesce(sum(c.sends - c.verified), 0)
    from private.send_count c
    where c.subject = counts_of.subject and c.period = 'hour' and c.starts_at > counts_of.hour - interval '24 hours'
  ), (
    select coalesce(sum(c.verified), 0)
    from private.send_count c
    where c.subject = counts_of.subject and c.period = 'day'
      and c.starts_at >= counts_of.day - interval '14 days' and c.starts_at < counts_of.day
  ) into unverified, verified;
end
$$;

comment on function fraud.counts_of(text, timestamptz, timestamptz, out bigint, out bigint) is
$$Unverified sends of the 24 clock hours that end with this one, and verified ones of the 14 days before today. Today's are left out, so
that the bound stays the same all day. subject: as private.send_count. hour, day: the current ones.$$;
