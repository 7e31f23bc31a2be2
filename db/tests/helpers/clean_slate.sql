-- Settings, and a database without rows.

create or replace function test.set_setting(key text, value jsonb)
returns void
language sql
as $$
  insert into settings.configuration as c (key, value) values (set_setting.key, set_setting.value)
  on conflict on constraint configuration_pkey do update set value = excluded.value
$$;
comment on function test.set_setting(text, jsonb) is $$Changes a setting as an operator does.$$;

create or replace function test.truncate_rows()
returns void
language sql
as $$
  truncate platform.rate_limit, platform.otp_transaction, platform.send_decision, private.send_count, "user".session, "user".account,
    "user".invitation, private.used_proof, private.pending_registration, private.guess_count, private.verification_state, private.worker_heartbeat,
    platform.event_delivery, graphile_worker._private_jobs cascade
$$;
comment on function test.truncate_rows() is
$$Empties all tables, their files too: rows that other tests rolled back would push new ones to later pages.$$;

create or replace function test.forget_events()
returns void
language plpgsql
as $$
begin
  -- Without the triggers that refuse it.
  set local session_replication_role = replica;
  truncate platform.event, private.event_base, private.event_lane;
  set local session_replication_role = origin;
  insert into private.event_lane (lane) select generate_series(1, 64);
end
$$;
comment on function test.forget_events() is $$Empties the events and their chains, as no role of an installation can.$$;

create or replace function test.clean_slate()
returns void
language plpgsql
as $$
begin
  -- As a migration outside of production does: tests of its rules turn them on.
  update private.installation set production = false where production;
  -- Truncating takes a tenth of a second, so only where an installation has rows.
  if exists (
    select from platform.rate_limit union all select from platform.otp_transaction union all select from platform.send_decision
    union all select from private.send_count union all select from "user".session union all select from "user".account
    union all select from private.pending_registration union all select from private.guess_count
    union all select from private.verification_state union all select from "user".invitation union all select from private.used_proof union all select from private.worker_heartbeat
    union all select from platform.event_delivery union all select from graphile_worker._private_jobs
  ) then
    perform test.truncate_rows();
  end if;
  if exists (select from platform.event union all select from private.event_base) then
    perform test.forget_events();
  end if;
  -- Without its triggers: they refuse the deletion of OTP_PROVIDER, and record events.
  set local session_replication_role = replica;
  delete from settings.configuration;
  delete from settings.event_subscription;
  delete from private.restore;
  delete from private.signing_key;
  delete from platform.event_subscription_state;
  perform test.set_setting('PASSWORD_HASH_COST', '4');
  perform test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
  set local session_replication_role = origin;
end
$$;
comment on function test.clean_slate() is
$$Deletes all rows and settings until the test's rollback, so that no earlier data counts. Sets a low PASSWORD_HASH_COST, which makes
hashing fast, and a provider, without which codes are dropped.$$;
