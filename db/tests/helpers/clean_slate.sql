-- Settings, and a database without rows.

create or replace function test.set_setting(key text, value jsonb)
returns void
language sql
as $$
  insert into settings.configuration as c (key, value) values (set_setting.key, set_setting.value)
  on conflict on constraint configuration_pkey do update set value = excluded.value
$$;
comment on function test.set_setting(text, jsonb) is $$Changes a setting as an operator does.$$;

create or replace function test.clean_slate()
returns void
language plpgsql
as $$
begin
  -- As a migration outside of production does: tests of its rules turn them on.
  update private.installation set production = false where production;
  -- Not by delete: OTP_PROVIDER refuses it, and rows that other files rolled back would push new ones to later pages.
  truncate settings.configuration, platform.rate_limit, platform.otp_transaction, platform.send_decision, private.send_count,
    "user".session, "user".account, private.pending_registration, private.guess_count, private.verification_state,
    private.worker_heartbeat, graphile_worker._private_jobs cascade;
  perform test.set_setting('PASSWORD_HASH_COST', '4');
  perform test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
end
$$;
comment on function test.clean_slate() is
$$Deletes all rows and settings until the test's rollback, so that no earlier data counts. Sets a low PASSWORD_HASH_COST, which makes
hashing fast, and a provider, without which codes are dropped.$$;
