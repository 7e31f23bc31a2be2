create or replace function private.erase_email(account "user".account)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if account.email is null then
    return;
  end if;
  -- Locked before other accounts are read: of two that lose the same email at once, the second must see that the first
  -- has lost it.
  perform private.lock_verification_state('EMAIL', account.email);
  -- Nobody verifies an email address: another account may have the same one, and what is stored about it.
  perform from "user".account a where a.email = account.email and a.id <> account.id limit 1;
  if not found then
    perform private.erase_identifier('EMAIL', account.email);
  end if;
  -- The lock may have created the row of an email that another account has too.
  delete from private.verification_state s
  where s.identifier_type = 'EMAIL' and s.identifier = account.email and s.failures = 0 and s.known_client_failures = 0;
end
$$;

comment on function private.erase_email("user".account) is
$$Deletes what is stored about the email of an account, unless another account has the same one. The caller takes the email from the account,
or deletes the account. account: the row as it was before.$$;
