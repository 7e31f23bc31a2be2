create or replace function private.erase_email(email text, account_id uuid)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if erase_email.email is null then
    return;
  end if;
  -- Locked before other accounts are read: of two that lose the same email at once, the second must see that the first
  -- has lost it.
  perform private.lock_verification_state('EMAIL', erase_email.email);
  -- Another account may have the same email, unverified or verified, or be about to verify it, and what is stored about
  -- it.
  if not exists (select from "user".account a where a.email = erase_email.email and a.id <> erase_email.account_id)
    and not exists (
      select from platform.otp_transaction o
      where o.identifier = erase_email.email and o.account_id <> erase_email.account_id and o.expires_at > clock_timestamp()
        and o.verified_at is null
    ) then
    perform private.erase_identifier('EMAIL', erase_email.email);
  end if;
  -- The lock may have created the row of an email that another account has too.
  delete from private.verification_state s
  where s.identifier_type = 'EMAIL' and s.identifier = erase_email.email and s.failures = 0 and s.known_client_failures = 0;
end
$$;

comment on function private.erase_email(text, uuid) is
$$Deletes what is stored about the email of an account, unless another account has the same one, or is about to verify it. The caller takes the email from the account,
or deletes the account. email: lower-cased; null: none.
account_id: of the account.$$;
