create or replace function private.attempt_channel(otp platform.otp_transaction, provider text)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_options jsonb := private.provider_options(attempt_channel.provider, otp.identifier);
begin
  return case
    when otp.identifier_type = 'EMAIL' then 'email'
    when otp.channel = any (private.channels_of(attempt_channel.provider, v_options)) then otp.channel
    else coalesce(v_options ->> 'channel', 'sms')
  end;
end
$$;

comment on function private.attempt_channel(platform.otp_transaction, text) is
$$The channel of an attempt: the one that the request named, as far as the provider still has it, otherwise the provider's own.$$;
