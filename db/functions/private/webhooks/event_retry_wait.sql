create or replace function private.event_retry_wait(attempts integer)
returns interval
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  -- A fifth more or less, so that what failed together is not tried together.
  select least(interval '5 seconds' * 3 ^ least(event_retry_wait.attempts - 1, 10), interval '1 hour') * (0.8 + 0.4 * random())
$$;

comment on function private.event_retry_wait(integer) is
$$How long an event waits after a failed attempt: about 5 seconds, 15, 45, 2 minutes, 7, 20, and then an hour each. attempts: how many failed.$$;
