-- What was recorded.

create or replace function test.events(type text default null)
returns text[]
language sql
as $$
  select coalesce(array_agg(e.type || case e.data when '{}' then '' else ' ' || e.data::text end order by e.at, e.id), '{}')
  from platform.event e where e.type like coalesce(events.type, '%')
$$;
comment on function test.events(text) is $$The events of a type, or of all types, in the order in which they were recorded, with their data. type: a pattern of LIKE.$$;
