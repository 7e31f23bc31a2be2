create or replace function private.provider_options_fault(provider text, options jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_provider text := provider_options_fault.provider;
  v_options jsonb := provider_options_fault.options;
  c_longest_subject constant integer := 200;
  c_url constant text := '^https?://(\[[0-9a-fA-F:.]+\]|[^][/?#@:[:space:]]+)(:[0-9]{1,5})?([/?#][^[:space:]]*)?$';
  c_twilio_channels constant text[] := array['sms', 'whatsapp', 'voice'];
  -- What worker/sms/<provider>.ts, worker/email/smtp.ts and private.start_attempt read.
  c_members constant jsonb := jsonb '{
    "console": [], "http": ["url", "entityId", "templateId"], "twilio": ["from", "messagingServiceSid", "channel", "contentSid"],
    "aws-sns": ["senderId", "entityId", "templateId"], "vonage": ["from", "entityId", "contentId"],
    "smtp": ["from", "subject"]
  }';
  v_unread text;
  v_fault text;
begin
  v_fault := coalesce(
    case
      when jsonb_typeof(v_options) <> 'object' then format('%s must be an object: the options of that provider', v_provider)
      when v_provider = 'http' and coalesce(v_options ->> 'url', '') !~ c_url then
        'http.url must be an http or https address, without a user and password'
      when v_provider = 'twilio' and coalesce(v_options ->> 'channel', 'sms') <> all (c_twilio_channels) then
        'twilio.channel must be one of ' || array_to_string(c_twilio_channels, ', ')
      when v_provider = 'twilio' and v_options ? 'messagingServiceSid'
        and coalesce(v_options ->> 'messagingServiceSid', '') !~ '^MG[0-9a-fA-F]{32}$' then
        'twilio.messagingServiceSid must be MG and 32 hexadecimal digits'
      when v_provider = 'twilio' and not private.is_e164(v_options ->> 'from')
        and (not v_options ? 'messagingServiceSid' or v_options ->> 'channel' = 'voice') then
        'twilio.from must be a phone number such as +12125550100; SMS and WhatsApp may have a messagingServiceSid instead'
    end,
    private.option_ids_fault(v_provider, v_options),
    case
      -- A notice has no code to fill in, so no other text can take its place.
      when v_provider = 'twilio' and v_options ->> 'channel' = 'whatsapp'
        and not (v_options @? '$.contentSid.default.default' and v_options @? '$.contentSid.PHONE_CHANGED.default') then
        'twilio.contentSid must have default.default and PHONE_CHANGED.default while twilio.channel is whatsapp, which delivers only approved templates'
      when v_provider = 'aws-sns' and v_options ? 'senderId' and coalesce(v_options ->> 'senderId', '') !~ '^[A-Za-z0-9-]{1,11}$' then
        'aws-sns.senderId must be 1 to 11 letters, digits and hyphens'
      when v_provider = 'vonage' and coalesce(v_options ->> 'from', '') !~ '^([0-9]{5,15}|[A-Za-z0-9 ]{1,11})$' then
        'vonage.from must be a phone number in digits, or 1 to 11 letters, digits and blanks'
      when v_provider = 'smtp' and coalesce(v_options ->> 'from', '') !~ '^[^[:space:][:cntrl:]<>@]+@[^[:space:][:cntrl:]<>@]+$' then
        'smtp.from must be the sender''s email address'
      when v_provider = 'smtp' and (v_options ->> 'subject' ~ '[[:cntrl:]]' or length(v_options ->> 'subject') > c_longest_subject) then
        format('smtp.subject must be one line of %s characters at most', c_longest_subject)
    end
  );
  if v_fault is not null then
    return v_fault;
  end if;
  select m.name into v_unread from jsonb_object_keys(v_options) m (name) where not c_members -> v_provider ? m.name order by m.name limit 1;
  if v_unread is not null then
    return format(
      '%s may have %s, not %s', v_provider, coalesce(nullif(array_to_string(array(select jsonb_array_elements_text(c_members -> v_provider)), ', '), ''), 'no member'),
      left(v_unread, 40)
    );
  end if;
  return null;
end
$$;

comment on function private.provider_options_fault(text, jsonb) is
$$What is wrong with the options of a provider; null when nothing is. provider: one of those that private.provider_fault accepts, or smtp.
Credentials do not belong in options: they are in the worker's environment.$$;
