create or replace function settings.preview_second_factor(value text)
returns setof settings.second_factor_preview
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 50000;
  v_preview settings.second_factor_preview;
begin
  select count(*)::integer, count(*) filter (where f.is_affected)::integer, coalesce(sum(l.sessions), 0)::integer
  into v_preview.accounts, v_preview.affected, v_preview.live_sessions
  from (select t.id, t.session_epoch from "user".account t order by t.id desc limit c_most) a
  cross join lateral (
    select (preview_second_factor.value <> 'required') = exists (
      select from "user".factor t where t.user_id = a.id and t.confirmed_at is not null
    ) as is_affected
  ) f
  cross join lateral (
    select count(*) as sessions from "user".session s
    where f.is_affected and s.user_id = a.id and s.revoked_at is null and s.session_epoch >= a.session_epoch and s.refresh_token_expires_at > now()
  ) l;
  v_preview.is_complete := v_preview.accounts < c_most;
  return next v_preview;
end
$$;

comment on function settings.preview_second_factor(text) is
$$Query preview_second_factor: whom a value of SECOND_FACTOR concerns now, one row. required: accounts without a second factor, and their live
sessions, which reach nothing else until one is added. optional and off: accounts with one, who are asked for it or not. Looks at the latest
50000 accounts. Stores nothing.$$;
grant execute on function settings.preview_second_factor(text) to latchkey_admin;
