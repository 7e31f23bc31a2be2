create or replace function private.channels_of(provider text, options jsonb)
returns text[]
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select case channels_of.provider
    when 'twilio' then array['sms']
      -- A call has no messaging service, and WhatsApp no text of our own.
      || case when channels_of.options ? 'from' then array['voice'] else '{}' end
      || case when channels_of.options @? '$.contentSid.default.default' then array['whatsapp'] else '{}' end
    when 'console' then array['sms', 'voice', 'whatsapp']
    else array['sms']
  end
$$;

comment on function private.channels_of(text, jsonb) is
$$The channels by which a provider can send with its options. The console prints whatever it is.$$;
