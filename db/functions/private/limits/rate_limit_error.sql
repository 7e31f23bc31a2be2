create or replace function private.rate_limit_error(verdict private.rate_limit_verdict)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if verdict.wait is null then
    return null;
  end if;
  perform private.record_limit(verdict);
  return private.error('RATE_LIMIT_EXCEEDED', jsonb_build_object(
    -- Rounded up: a client that waits for so many seconds must not be refused again.
    'retryAfterSeconds', ceil(extract(epoch from verdict.wait))::integer,
    'policy', verdict.policy,
    'requests', verdict.requests,
    'seconds', extract(epoch from verdict.period)::integer
  ));
end
$$;

comment on function private.rate_limit_error(private.rate_limit_verdict) is
$$The error of a request that a rate limit refuses, which it records (private.record_limit); null for one that it allows.
Errors: RATE_LIMIT_EXCEEDED (details: retryAfterSeconds, and the policy with its requests per seconds).$$;
