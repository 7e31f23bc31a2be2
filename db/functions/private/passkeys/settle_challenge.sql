create or replace function private.settle_challenge(challenge private.factor_challenge, is_right boolean)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Of two answers at once the second one waits here, and finds it used.
  update private.factor_challenge c
  set attempts = c.attempts + case when settle_challenge.is_right then 0 else 1 end,
      used_at = case when settle_challenge.is_right then clock_timestamp() end
  where c.id = challenge.id and c.used_at is null;
  return found and settle_challenge.is_right;
end
$$;

comment on function private.settle_challenge(private.factor_challenge, boolean) is
$$Uses a challenge up, or counts a wrong answer to it. Result: whether the answer is right, and the first one. challenge: of
private.live_challenge.$$;
