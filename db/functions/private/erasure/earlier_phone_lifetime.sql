create or replace function private.earlier_phone_lifetime()
returns interval
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Rate limits end within 30 days (private.limit_fault), so before wrong codes in a row.
  return greatest(
    private.setting_period('OTP_RETENTION_DAYS'), private.setting_period('SEND_DECISION_RETENTION_DAYS'),
    private.verification_state_lifetime()
  );
end
$$;

comment on function private.earlier_phone_lifetime() is
$$How long an account's earlier phones are kept: as long as any row that leads to the account by one of them.$$;
