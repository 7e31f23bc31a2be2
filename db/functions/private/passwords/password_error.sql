create or replace function private.password_error(field text, password_length integer, password_is_common boolean)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_maximum constant integer := 256;
  v_minimum integer := private.setting_integer('PASSWORD_MIN_LENGTH');
  v_fault jsonb := case
    when password_error.password_length < v_minimum then jsonb_build_object('reason', 'too_short', 'minimum', v_minimum)
    when password_error.password_length > c_maximum then jsonb_build_object('reason', 'too_long', 'maximum', c_maximum)
    when password_error.password_is_common then jsonb_build_object('reason', 'too_common')
  end;
begin
  if v_fault is null then
    return null;
  end if;
  return private.error('INVALID_REQUEST', jsonb_build_object('field', password_error.field) || v_fault);
end
$$;

comment on function private.password_error(text, integer, boolean) is
$$The first password rule that a new password breaks; null when it keeps them all. NIST SP 800-63B: a minimum length, a list of common
passwords, no composition rules, nothing truncated. The password itself never reaches the database.
field: its name in the request. password_length: characters (Unicode code points). password_is_common: whether the server's list of
common passwords holds it. Errors: INVALID_REQUEST (details.field, details.reason).$$;
