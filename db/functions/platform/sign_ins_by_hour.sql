create or replace function platform.sign_ins_by_hour(from_at timestamptz, to_at timestamptz)
returns setof platform.sign_ins_in_hour
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_longest constant interval := interval '8 days';
  c_most constant integer := 100000;
  v_from timestamptz := greatest(date_trunc('hour', sign_ins_by_hour.from_at, 'UTC'), sign_ins_by_hour.to_at - c_longest);
begin
  return query
  select date_trunc('hour', l.created_at, 'UTC'), l.amr, count(*)::integer
  from (
    select s.created_at, s.amr, s.user_id from "user".session s
    where s.id >= private.first_id(v_from) and s.id < private.first_id(sign_ins_by_hour.to_at)
    order by s.id desc
    limit c_most
  ) l
  where l.user_id is not null and l.amr is not null
  group by 1, 2
  order by 1, 2;
end
$$;

comment on function platform.sign_ins_by_hour(timestamptz, timestamptz) is
$$Query sign_ins_by_hour: sign-ins of users by clock hour (UTC) and by how they were done, as far as their sessions are stored
(SESSION_RETENTION_DAYS); a step-up counts as part of its sign-in. Reads the latest 100000 sessions of the period, guests' included. from_at:
the first moment; 8 days before to_at at the earliest. to_at: the first one after it.$$;
grant execute on function platform.sign_ins_by_hour(timestamptz, timestamptz) to latchkey_admin;
