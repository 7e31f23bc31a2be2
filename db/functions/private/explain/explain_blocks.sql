create or replace function private.explain_blocks(user_id uuid)
returns setof platform.delivery_event
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select
    clock_timestamp(), format('%s refuses the account''s %s now.', l.policy, s.subject), null::uuid,
    format(
      '%s%s of %s in %s seconds are counted, until %s; clear_limits forgets them', 'for ' || l.client || ': ', l.counted, l.requests, l.period_seconds,
      private.written_time(l.blocked_until)
    )
  from "user".account a
  cross join lateral (values ('phone', a.phone), ('email', a.email), ('id', a.id::text)) s (subject, value)
  cross join lateral platform.limits_of(s.value) l
  where a.id = explain_blocks.user_id and s.value is not null and l.blocked_until > clock_timestamp()
$$;

comment on function private.explain_blocks(uuid) is
$$What limits and wrong codes refuse an account now, and until when, as events. user_id: of an event; of an erased account there is none.$$;
