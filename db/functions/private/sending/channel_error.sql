create or replace function private.channel_error(channel text, identifier_type text, identifier text)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if channel_error.channel is null
    or channel_error.identifier_type = 'PHONE'
      and private.setting('OTP_CHANNELS') ? channel_error.channel
      and cardinality(private.provider_chain('PHONE', channel_error.identifier, channel_error.channel)) > 0 then
    return null;
  end if;
  return private.error('INVALID_REQUEST', jsonb_build_object('field', 'input.channel', 'reason', 'channel_not_allowed'));
end
$$;

comment on function private.channel_error(text, text, text) is
$$Why a request may not name a channel: OTP_CHANNELS has it not, no provider of the phone has it, or the identifier is an EMAIL. Null for one that
it may, and for none. Errors: INVALID_REQUEST (details.field, details.reason channel_not_allowed).$$;
