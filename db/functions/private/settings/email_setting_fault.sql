create or replace function private.email_setting_fault()
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when private.setting('EMAIL_SIGN_IN') = '"on"' and private.setting('EMAIL_DELIVERY') <> '"on"' then
      'EMAIL_SIGN_IN needs EMAIL_DELIVERY: turn that on first, and off last'
    when private.setting('PHONE_RECOVERY_BY_EMAIL') = '"on"' and private.setting('EMAIL_SIGN_IN') <> '"on"' then
      'PHONE_RECOVERY_BY_EMAIL needs EMAIL_SIGN_IN: turn that on first, and off last'
  end;
end
$$;

comment on function private.email_setting_fault() is
$$What is wrong with the settings of email together, as a sentence; null when nothing is.$$;
