create or replace function private.drop_reason(otp platform.otp_transaction)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  if private.restore_kind() is not distinct from 'restore' then
    return 'the database was restored from a backup, and nothing is sent until npm run db:migrate has run';
  end if;
  if not otp.awaited and otp.purpose <> all (private.notice_purposes() || array['TEST']) then
    select a.* into v_account from "user".account a
    where a.phone = otp.identifier and a.phone_verified_at <= otp.current_since
      or otp.identifier_type = 'EMAIL' and a.email = otp.identifier and a.email_verified_at <= otp.current_since;
    if not found then
      return case otp.identifier_type
        when 'EMAIL' then 'no account has verified the email, and a password reset is sent only to accounts'
        else 'the phone has no account, and a password reset is sent only to accounts'
      end;
    end if;
    if private.is_recycled(v_account) then
      return 'nobody has used the account for PHONE_RECYCLED_AFTER_DAYS, and the phone may belong to somebody else by now';
    end if;
  end if;
  if not otp.awaited and (v_account.disabled_at <= otp.current_since or v_account.deletion_due_at <= otp.current_since) then
    return 'the account is disabled or deleted, and a password reset is sent only to accounts that can be signed in to';
  end if;
  if not otp.awaited and private.is_too_late_to_send(otp, otp.current_since) then
    return 'it waited in the queue until too little time was left to type it';
  end if;
  if private.test_code(otp.identifier) is not null then
    return 'this is a test number (OTP_TEST_NUMBERS), to which nothing is sent';
  end if;
  if private.setting('OTP_PROVIDER') is null then
    return 'no provider is set (OTP_PROVIDER)';
  end if;
  return 'no provider was set (OTP_PROVIDER), or it waited in the queue for too long';
end
$$;

comment on function private.drop_reason(platform.otp_transaction) is
$$Why a dropped one-time password was not sent, as far as its row, the accounts and the settings of today still tell: the reason itself is
not stored. A reset is dropped at current_since.$$;
