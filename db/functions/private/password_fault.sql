create or replace function private.password_fault(field text, password_length integer, password_is_common boolean)
returns jsonb
language sql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('field', password_fault.field, 'reason', rule.reason) || rule.bound
  from (values
    (1, password_length < private.setting_integer('PASSWORD_MIN_LENGTH'), 'too_short',
      jsonb_build_object('minimum', private.setting_integer('PASSWORD_MIN_LENGTH'))),
    (2, password_length > 256, 'too_long', jsonb_build_object('maximum', 256)),
    (3, password_is_common, 'too_common', '{}')
  ) rule (ordinal, broken, reason, bound)
  where rule.broken
  order by rule.ordinal
  limit 1
$$;

comment on function private.password_fault(text, integer, boolean) is
$$The first password rule that a new password breaks, as error_details of INVALID_REQUEST; null when it keeps them all.
NIST SP 800-63B: a least length, a list of common passwords, no composition rules, nothing truncated.
The password itself never reaches the database. field: its name in the request. password_length: characters
(Unicode code points). password_is_common: whether the shell's list of common passwords holds it.$$;
revoke all on function private.password_fault(text, integer, boolean) from public;
