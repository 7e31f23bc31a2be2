create or replace function fraud.counts_of(subject text, hour timestamptz, day timestamptz, out unverified bigint, out verified bigint)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  select (
    select coalesce(sum(c.sends - c.verified), 0)
    from private.send_count c
    where c.subject = counts_of.subject and c.period = 'hour' and c.starts_at > counts_of.hour - fraud.recent_period()
  ), (
    select coalesce(sum(c.verified), 0)
    from private.send_count c
    where c.subject = counts_of.subject and c.period = 'day'
      and c.starts_at >= counts_of.day - make_interval(days => fraud.usual_days()) and c.starts_at < counts_of.day
  ) into unverified, verified;
end
$$;

comment on function fraud.counts_of(text, timestamptz, timestamptz, out bigint, out bigint) is
$$Unverified sends of the clock hours of fraud.recent_period() that end with this one, and verified ones of the fraud.usual_days() before
today. Today's are left out, so that the bound stays the same all day. subject: as private.send_count. hour, day: the current ones.$$;
