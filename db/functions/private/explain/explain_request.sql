create or replace function private.explain_request(otp platform.otp_transaction)
returns setof platform.delivery_event
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if otp.voided_at is not null then
    return next row(
      otp.voided_at,
      case otp.delivery when 'cancelled' then 'Nothing was sent, because' else 'The message and its code ended, because' end
        || ' the database was restored from a backup, or its standby took over.',
      otp.id, 'who needs a code requests another'
    )::platform.delivery_event;
  end if;
  if otp.purpose = any (private.notice_purposes()) then
    return next row(
      otp.created_at,
      case otp.purpose
        when 'PHONE_CHANGED' then 'The account of this phone changed to another phone. A notice was queued, to tell this one.'
        when 'PHONE_CHANGE_DUE' then 'The account of this phone is to change to another phone, asked for by email without the password. A notice was queued.'
        when 'EMAIL_CHANGED' then 'The email of an account changed, or was removed. A notice was queued, to tell this '
          || case otp.identifier_type when 'EMAIL' then 'email.' else 'phone.' end
        when 'FACTORS_CHANGED' then 'A second factor of the account was added, removed or copied. A notice was queued, to tell this phone.'
        when 'INVITATION' then 'An operator invited this phone to open an account. A notice was queued, to tell it.'
      end,
      otp.id,
      format('sent until %s at the latest', private.written_time(otp.expires_at))
    )::platform.delivery_event;
    return;
  end if;
  if otp.purpose = 'TEST' then
    return next row(
      otp.created_at, 'An operator sent a test message. Its code verifies nothing.', otp.id,
      format('sent until %s at the latest', private.written_time(otp.expires_at))
    )::platform.delivery_event;
    return;
  end if;
  return next row(
    otp.created_at, format('A code was requested for %s.', otp.purpose), otp.id,
    format('valid until %s', private.written_time(otp.expires_at))
  )::platform.delivery_event;

  if otp.identifier_type = 'EMAIL' and otp.purpose = 'LOGIN' and not exists (
    select from "user".account a where a.email = otp.identifier and a.email_verified_at is not null
  ) then
    return next row(
      otp.created_at, 'No account has verified this email, so its codes sign nobody in.', otp.id, 'as the accounts are now'
    )::platform.delivery_event;
  end if;

  if otp.current_since is not null then
    return next row(
      otp.current_since,
      format(case
        -- No code was made.
        when otp.delivery in ('dropped', 'withheld') then 'Earlier %s codes stopped working.'
        else 'This became the only %s code that works: earlier ones stopped working.'
      end, otp.purpose),
      otp.id, null
    )::platform.delivery_event;
  end if;
  if otp.verified_at is not null then
    return next row(otp.verified_at, 'The right code was typed. It cannot be used again.', otp.id, null)::platform.delivery_event;
  elsif otp.voided_at is null and otp.current_since is not null and otp.delivery not in ('dropped', 'withheld') and otp.expires_at <= clock_timestamp() then
    return next row(otp.expires_at, 'The code expired without being used.', otp.id, null)::platform.delivery_event;
  end if;
end
$$;

comment on function private.explain_request(platform.otp_transaction) is
$$The life of a one-time password as events: requested, worthless for an email that no account has verified, current, used, expired or ended by a restore. Of a notice: the change that it tells; of a
test message: that it was sent.$$;
