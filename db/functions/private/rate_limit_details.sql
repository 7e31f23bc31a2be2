create or replace function private.rate_limit_details(verdict private.rate_limit_verdict)
returns jsonb
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    -- Rounded up, so that a client that waits as long as told is let in.
    'retryAfterSeconds', ceil(extract(epoch from verdict.wait))::integer,
    'policy', verdict.policy,
    'requests', verdict.requests,
    'seconds', extract(epoch from verdict.period)::integer
  )
$$;

comment on function private.rate_limit_details(private.rate_limit_verdict) is
$$The error_details of RATE_LIMIT_EXCEEDED: retryAfterSeconds, and the policy with its requests per seconds.$$;
revoke all on function private.rate_limit_details(private.rate_limit_verdict) from public;
