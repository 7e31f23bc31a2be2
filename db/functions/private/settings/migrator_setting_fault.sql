create or replace function private.migrator_setting_fault(key text, value jsonb, before jsonb)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_test_numbers constant text[] := array['OTP_TEST_NUMBERS', 'OTP_TEST_NUMBERS_IN_PRODUCTION'];
  c_shortest_code constant integer := 6;
  c_most_guesses constant integer := 5;
  c_advice constant text := 'set it in the environment of npm run db:migrate, or by SQL as the migrator';
  v_default jsonb := (select d.default_value from private.setting_definition d where d.key = migrator_setting_fault.key);
begin
  return case
    when not private.is_production() then null
    when migrator_setting_fault.key = any (c_test_numbers) then
      'in production only the migrator changes it, because a fixed code signs in: ' || c_advice
    when migrator_setting_fault.key = 'OTP_LENGTH' and migrator_setting_fault.value::integer < c_shortest_code then
      format('in production only the migrator sets less than %s: %s', c_shortest_code, c_advice)
    when migrator_setting_fault.key = 'OTP_MAX_ATTEMPTS' and migrator_setting_fault.value::integer > c_most_guesses then
      format('in production only the migrator sets more than %s: %s', c_most_guesses, c_advice)
    when migrator_setting_fault.key = 'PHONE_RECYCLED_AFTER_DAYS' and migrator_setting_fault.value <> '"off"' then
      'in production only the migrator turns it on, because an account whose phone was recycled can be given another one: ' || c_advice
    when migrator_setting_fault.key = 'EVENT_RETENTION_DAYS'
      and coalesce(migrator_setting_fault.value, v_default)::integer < coalesce(migrator_setting_fault.before, v_default)::integer
    then 'in production only the migrator lowers it, because the clean-up then drops events: ' || c_advice
  end;
end
$$;

comment on function private.migrator_setting_fault(text, jsonb, jsonb) is
$$Why production lets only the migrator write a setting, as a sentence; null where the admin may. These decide which account a code opens, and
what a guess at one is worth: a caller who may write them could sign in as anybody; or they would drop the record of who did what. value: valid
for the setting; null: it is deleted. before: the value until now; null: none was stored.$$;
