create or replace function private.lock_phones_of_account(account "user".account)
returns text[]
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_phones text[] := array(
    select p.phone
    from (
      select account.phone where account.phone is not null
      union
      select e.phone from private.earlier_phone e where e.account_id = account.id
      union
      select t.identifier from platform.otp_transaction t where t.account_id = account.id and t.identifier_type = 'PHONE'
    ) p (phone)
    order by p.phone collate "C"
  );
begin
  perform private.lock_verification_state('PHONE', p.phone) from unnest(v_phones) with ordinality p (phone, n) order by p.n;
  return v_phones;
end
$$;

comment on function private.lock_phones_of_account("user".account) is
$$Locks the verification state of every phone that an account has, had or asked for, in one order: a request that verifies a code for one of
them locks it before that code too. Result: the phones, E.164.$$;
