-- Rows are moved back in time, so that no test has to wait.

create or replace function test.age_otps(age interval)
returns void
language plpgsql
as $$
begin
  -- Without triggers, because one of them refuses an earlier verified_at.
  perform set_config('session_replication_role', 'replica', true);
  update platform.otp_transaction o
  set created_at = o.created_at - age, expires_at = o.expires_at - age,
      current_since = o.current_since - age, verified_at = o.verified_at - age,
      answer_at = o.answer_at - age;
  perform set_config('session_replication_role', 'origin', true);
end
$$;

create or replace function test.age_guesses(age interval)
returns void
language sql
as $$
  update private.guess_count g set first_guess_at = g.first_guess_at - age
$$;

create or replace function test.age_failures(age interval)
returns void
language sql
as $$
  update private.verification_state s
  set failed_at = s.failed_at - age, known_client_failed_at = s.known_client_failed_at - age
$$;

create or replace function test.insert_hits(key text, variadic hits timestamptz[])
returns void
language sql
as $$
  insert into platform.rate_limit (key, hits, totals)
  values (insert_hits.key, insert_hits.hits, array(select n::bigint from generate_series(0, cardinality(insert_hits.hits)) n))
$$;
comment on function test.insert_hits(text, timestamptz[]) is $$Stores a window in which requests were counted at these times.$$;

create or replace function test.age_rate_limits(age interval)
returns void
language sql
as $$
  update platform.rate_limit l set hits = array(select hit - age from unnest(l.hits) with ordinality h (hit, n) order by n)
$$;

create or replace function test.hits(key text)
returns integer
language sql
as $$
  select coalesce((select l.totals[cardinality(l.totals)] - l.totals[1] from platform.rate_limit l where l.key = hits.key), 0)::integer
$$;
comment on function test.hits(text) is $$The number of requests counted under a rate limit's key.$$;

create or replace function test.seconds_until(at timestamptz)
returns integer
language sql
as $$
  select ceil(extract(epoch from seconds_until.at - clock_timestamp()) / 60)::integer * 60
$$;
comment on function test.seconds_until(timestamptz) is
$$The time until then, in seconds, rounded up to a whole minute, because a busy machine may have delayed the test.$$;
