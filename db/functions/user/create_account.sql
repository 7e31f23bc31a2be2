create or replace function "user".create_account(phone text, email text default null)
returns "user".account
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_email text := lower(nullif(btrim(create_account.email), ''));
  v_account "user".account;
begin
  create_account.phone := private.current_number(create_account.phone);
  -- Before the constraints: PostgreSQL's own errors have the row in their detail, which goes to its log.
  if not private.is_e164(create_account.phone) then
    raise exception 'the phone must be written as E.164: +, calling code and number'
      using errcode = 'check_violation', constraint = 'account_phone_is_e164';
  end if;
  if not private.is_email(v_email) then
    raise exception 'the email is not valid' using errcode = 'check_violation', constraint = 'account_email_is_normalized';
  end if;
  -- As a verification does, so that no registration is stored or confirmed meanwhile.
  perform private.lock_verification_state('PHONE', create_account.phone);
  insert into "user".account as a (id, phone, email, phone_verified_at, created_at, updated_at)
  values (private.new_id(), create_account.phone, v_email, v_now, v_now, v_now)
  on conflict on constraint account_phone_is_unique do nothing
  returning a.* into v_account;
  if v_account.id is null then
    raise exception 'the phone has an account already' using errcode = 'unique_violation', constraint = 'account_phone_is_unique';
  end if;
  delete from private.pending_registration r where r.phone = create_account.phone;
  return v_account;
end
$$;

comment on function "user".create_account(text, text) is
$$Mutation create_account: the admin makes an account whose phone counts as verified. It has no password: the holder of the phone sets one
by a reset, or logs in by code. phone: E.164, of no other account. email: optional. Result: the account.$$;
grant execute on function "user".create_account(text, text) to latchkey_admin;
