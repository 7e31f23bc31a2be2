create or replace function private.is_replaced_code(otp platform.otp_transaction, attempt private.code_attempt)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- As many hashes are made whether or not there are replaced codes: otherwise the time would show how many were sent.
  c_least_compared constant integer := 10;
  c_no_otp constant uuid := uuid '00000000-0000-0000-0000-000000000000';
begin
  return coalesce((
    select bool_or((r.code_hash = private.hash_code(
      coalesce(r.id, c_no_otp), attempt.code, private.code_key_for(attempt.code_key, r.code_hash)
    )) is true)
    from (
      select row_number() over () as n, o.id, o.code_hash
      from platform.otp_transaction o
      where o.identifier = attempt.identifier and o.identifier_type = attempt.identifier_type and o.purpose = attempt.purpose
        and o.account_id is not distinct from attempt.account_id
        and o.current_since is not null
        and o.id <> otp.id
        and o.expires_at > clock_timestamp()
        and o.delivery <> 'test'
    ) r
    full join generate_series(1, c_least_compared) least (n) on least.n = r.n
  ), false);
end
$$;

comment on function private.is_replaced_code(platform.otp_transaction, private.code_attempt) is
$$Whether a code is that of a one-time password which a newer delivered one has replaced, and which has not expired. Only who received it
knows it, and it opens nothing. otp: private.current_otp, whose code it is not; all null: there is none, so nothing was replaced.$$;
