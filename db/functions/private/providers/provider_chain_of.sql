create or replace function private.provider_chain_of(otp platform.otp_transaction)
returns text[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    nullif(private.provider_chain(otp.identifier_type, otp.identifier, otp.channel), '{}'),
    -- OTP_PROVIDER has changed since the request named a channel that it had.
    private.provider_chain(otp.identifier_type, otp.identifier)
  );
end
$$;

comment on function private.provider_chain_of(platform.otp_transaction) is
$$The providers that may send a one-time password, in the order in which they are tried: those that have the channel that its request named, or all
where none has it any more.$$;
