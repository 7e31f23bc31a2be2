create or replace function platform.sent_by_hour(from_at timestamptz, to_at timestamptz)
returns setof platform.sent_in_hour
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_longest constant interval := interval '8 days';
  c_countries constant integer := 10;
  v_from timestamptz := greatest(date_trunc('hour', sent_by_hour.from_at, 'UTC'), sent_by_hour.to_at - c_longest);
begin
  return query
  -- A loose index scan: each step finds the next country in the index without reading the counters in between.
  with recursive country (subject) as (
    (select c.subject from private.send_count c where c.subject > 'country:' order by c.subject limit 1)
    union all
    select n.subject
    from country k
    cross join lateral (select c.subject from private.send_count c where c.subject > k.subject order by c.subject limit 1) n
    where n.subject like 'country:%'
  ),
  counted as materialized (
    select c.starts_at as hour, substr(c.subject, 9) as code, sum(c.sends) as sends, sum(c.verified) as used
    from country k
    join private.send_count c on c.subject = k.subject and c.period = 'hour' and c.starts_at >= v_from and c.starts_at < sent_by_hour.to_at
    where k.subject like 'country:%'
    group by 1, 2
  ),
  largest as (
    select t.code from counted t group by t.code order by sum(t.sends) desc, t.code limit c_countries
  )
  select c.hour, l.code, sum(c.sends)::integer, sum(c.used)::integer
  from counted c left join largest l on l.code = c.code
  group by 1, 2
  order by 1, 2;
end
$$;

comment on function platform.sent_by_hour(timestamptz, timestamptz) is
$$Query sent_by_hour: messages by clock hour (UTC) and country, beside those whose code was used, from the counters of the fraud rules. The
ten countries with most messages; the others are one. from_at: the first moment; 8 days before to_at at the earliest. to_at: the first one
after it.$$;
grant execute on function platform.sent_by_hour(timestamptz, timestamptz) to latchkey_admin;
