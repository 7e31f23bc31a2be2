create or replace function "user".invite(
  phone text, email text default null, valid_until timestamptz default null, send boolean default false
)
returns "user".invitation
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_usual constant interval := interval '30 days';
  c_longest constant interval := interval '1 year';
  v_now timestamptz := clock_timestamp();
  v_until timestamptz := coalesce(invite.valid_until, v_now + c_usual);
  v_email text := lower(nullif(btrim(invite.email), ''));
  v_invitation "user".invitation;
begin
  invite.phone := private.current_number(invite.phone);
  -- Before the constraints: PostgreSQL's own errors have the row in their detail, which goes to its log.
  if not private.is_e164(invite.phone) then
    raise exception 'the phone must be written as E.164: +, calling code and number'
      using errcode = 'check_violation', constraint = 'invitation_phone_is_e164';
  end if;
  if not private.is_email(v_email) then
    raise exception 'the email is not valid' using errcode = 'check_violation', constraint = 'invitation_email_is_normalized';
  end if;
  if v_until <= v_now or v_until > v_now + c_longest then
    raise exception 'valid_until must be in the future, and within a year' using errcode = 'check_violation', constraint = 'invitation_is_valid';
  end if;

  -- As a verification does, so that the phone gets no account meanwhile.
  perform private.lock_verification_state('PHONE', invite.phone);
  if exists (select from "user".account a where a.phone = invite.phone and not private.is_recycled(a)) then
    raise exception 'the phone has an account already' using errcode = 'check_violation', constraint = 'invitation_is_for_no_account';
  end if;
  insert into "user".invitation as i (phone, email, valid_until, created_at)
  values (invite.phone, v_email, v_until, v_now)
  on conflict on constraint invitation_pkey
    do update set email = excluded.email, valid_until = excluded.valid_until, created_at = excluded.created_at
  returning i.* into v_invitation;
  perform private.record_event('account.invited', null, null, jsonb_build_object('valid_until', v_until, 'is_sent', invite.send));
  if invite.send then
    perform private.send_invitation(v_invitation);
  end if;
  return v_invitation;
end
$$;

comment on function "user".invite(text, text, timestamptz, boolean) is
$$Mutation invite: the admin lets a phone open an account, whatever REGISTRATION says. A new invitation replaces the earlier one of the phone; a phone
that has an account is refused, and nothing changes. phone: E.164. email: of the account, optional. valid_until: within a year; null: 30
days. send: one SMS tells the phone (text INVITATION of OTP_PROVIDER); where it may not be sent, nothing changes. Result: the invitation.$$;
grant execute on function "user".invite(text, text, timestamptz, boolean) to latchkey_admin;
