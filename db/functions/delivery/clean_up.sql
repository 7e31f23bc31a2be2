create or replace function delivery.clean_up()
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from platform.rate_limit l
  where coalesce(l.hits[cardinality(l.hits)] + private.rate_limit_retention() <= clock_timestamp(), true);

  delete from platform.otp_transaction o where o.created_at < clock_timestamp() - interval '30 days';

  delete from "user".session s
  where coalesce(s.revoked_at, s.refresh_token_expires_at) < clock_timestamp() - interval '7 days';

  delete from private.pending_registration r
  where r.registered_at <= clock_timestamp() - private.registration_lifetime();

  delete from private.known_client k where k.logged_in_at <= clock_timestamp() - private.known_client_lifetime();

  delete from private.guess_count g
  where g.first_guess_at + private.setting_seconds('OTP_TTL_SECONDS') <= clock_timestamp();

  delete from private.verification_state s
  where coalesce(greatest(s.failed_at, s.known_client_failed_at), '-infinity') < clock_timestamp() - interval '30 days';
end
$$;

comment on function delivery.clean_up() is
$$Deletes what nobody needs any more: spent rate limits, one-time passwords after 30 days, sessions 7 days after their end,
registrations never verified, clients not seen for 30 days, guesses that no longer count, and wrong codes in a row 30 days after the
latest. The worker calls it once an hour.$$;
revoke all on function delivery.clean_up() from public;
grant execute on function delivery.clean_up() to latchkey_worker;
