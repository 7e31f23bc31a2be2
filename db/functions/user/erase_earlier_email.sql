create or replace function "user".erase_earlier_email()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Before the look at other accounts: of two that lose the same email at once, the second then finds that nobody has it any more.
  perform private.lock_verification_state('EMAIL', old.email);
  perform private.erase_identifier('EMAIL', e) from unnest(private.emails_of_account(old)) e;
  delete from private.verification_state s
  where s.identifier_type = 'EMAIL' and s.identifier = old.email and s.failures = 0 and s.known_client_failures = 0;
  return null;
end
$$;

comment on function "user".erase_earlier_email() is
$$Trigger of "user".account: what is stored about an email goes when the last account that has it gets another one, or none. Nothing would
lead an erasure to it later.$$;

create or replace trigger erase_earlier_email after update of email on "user".account
  for each row when (old.email is distinct from new.email and old.email is not null)
  execute function "user".erase_earlier_email();
