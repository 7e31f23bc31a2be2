create or replace function settings.check_together()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text := coalesce(new.key, old.key);
  v_fault text;
begin
  if v_key in ('OTP_TEST_NUMBERS', 'OTP_LENGTH') then
    v_fault := private.test_code_fault();
  end if;
  if v_fault is null and v_key in ('OTP_PROVIDER', 'OTP_APP_HASHES', 'OTP_LENGTH', 'OTP_TTL_SECONDS') then
    v_fault := private.app_hash_fault();
  end if;
  if v_fault is null and v_key = 'OTP_TEST_NUMBERS' and private.setting(v_key) <> '{}' and private.test_numbers_are_off() then
    v_fault := 'must be empty in production, unless OTP_TEST_NUMBERS_IN_PRODUCTION is on';
  end if;
  if v_fault is null and v_key in ('EMAIL_DELIVERY', 'EMAIL_SIGN_IN', 'PHONE_RECOVERY_BY_EMAIL') then
    v_fault := private.email_setting_fault();
  end if;
  if v_fault is null and old.key = 'OTP_PROVIDER' and new.key is distinct from old.key then
    v_key := old.key;
    v_fault := 'must not be deleted, because nothing could be sent: update it';
  end if;
  if v_fault is null and v_key = 'OTP_PROVIDER' then
    v_fault := private.provider_in_production_fault();
  end if;
  if v_fault is not null then
    raise exception '%: %', v_key, v_fault using errcode = 'check_violation', constraint = 'configuration_value_is_valid';
  end if;
  if v_key = 'OTP_PROVIDER' then
    perform private.warn_of_segments();
  end if;
  return null;
end
$$;

comment on function settings.check_together() is
$$Trigger of settings.configuration: refuses settings that contradict each other or the installation, with a sentence. It runs at the end of
a statement, so that one statement may change several. Warns of texts that are sent as more than one SMS.$$;

create or replace trigger check_together after insert or update or delete on settings.configuration
  for each row execute function settings.check_together();
