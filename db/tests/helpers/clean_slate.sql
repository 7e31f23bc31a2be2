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
  -- Not by delete, which is refused for OTP_PROVIDER.
  truncate settings.configuration;
  delete from platform.rate_limit;
  delete from platform.otp_transaction;
  delete from platform.send_decision;
  delete from private.send_count;
  delete from "user".session;
  delete from "user".account;
  delete from private.pending_registration;
  delete from private.guess_count;
  delete from private.verification_state;
  delete from graphile_worker._private_jobs;
  perform test.set_setting('PASSWORD_HASH_COST', '4');
  perform test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
end
$$;
comment on function test.clean_slate() is
$$Deletes all rows and settings until the test's rollback, so that no earlier data counts. Sets a low PASSWORD_HASH_COST, which makes
hashing fast, and a provider, without which codes are dropped.$$;
