create or replace function private.record_limit(verdict private.rate_limit_verdict)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Who was counted, and for some limits at which client.
  v_subjects text[] := string_to_array(substr(verdict.key, length(verdict.policy) + 2), ' ');
  v_is_id boolean := v_subjects[1] ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$';
  v_is_name boolean := v_subjects[1] ~ '^\+|@';
begin
  -- Not waited for: whoever holds the row counts a request, and the next refusal is recorded.
  update platform.rate_limit l set refused_at = clock_timestamp()
  where l.key = (
    select r.key from platform.rate_limit r
    where r.key = verdict.key and (r.refused_at + verdict.period > clock_timestamp()) is not true
    for no key update skip locked
  );
  if not found then
    return;
  end if;
  perform private.record_event(
    'limit.exceeded',
    case when v_is_id then v_subjects[1]::uuid when v_is_name then (private.usable_account(v_subjects[1])).id end,
    null,
    jsonb_build_object(
      'policy', verdict.policy, 'requests', verdict.requests, 'seconds', extract(epoch from verdict.period)::integer,
      'blocked_until', date_trunc('milliseconds', clock_timestamp() + verdict.wait)
    ),
    case when v_is_id or v_is_name then v_subjects[2] else v_subjects[1] end
  );
end
$$;

comment on function private.record_limit(private.rate_limit_verdict) is
$$Records that a limit refuses a request: once for each key in its period, however many it refuses, so a flood stores no more rows than it counts
requests. verdict: of private.look_at_rate_limits or private.take_rate_limits.$$;
