create or replace function private.explain_wrong_codes(otp platform.otp_transaction)
returns setof platform.delivery_event
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_current platform.otp_transaction := private.current_otp(
    row(otp.identifier_type, otp.identifier, otp.purpose, null, null, null, otp.account_id)::private.code_attempt
  );
  v_first timestamptz;
begin
  if otp.attempts = 0 then
    return;
  end if;
  select g.first_guess_at into v_first from private.guess_count g
  where g.identifier_type = otp.identifier_type and g.identifier = otp.identifier and g.purpose = otp.purpose
    and g.account_id is not distinct from otp.account_id
    and g.first_guess_at >= otp.current_since
    and (g.first_guess_at < v_current.current_since or v_current.id = otp.id);
  return next row(
    coalesce(v_first, otp.current_since, otp.created_at),
    format('Wrong codes were typed: %s of the %s that block this code.', otp.attempts, private.setting_integer('OTP_MAX_ATTEMPTS')),
    otp.id, case when v_first is null then 'when they were typed is not stored' else 'the first of those that count now was typed then' end
  )::platform.delivery_event;
end
$$;

comment on function private.explain_wrong_codes(platform.otp_transaction) is
$$The wrong codes that were typed while a one-time password was current, as one event: only the first one's time is stored, while it counts.$$;
