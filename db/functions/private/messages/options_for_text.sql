create or replace function private.options_for_text(options jsonb, purpose text, languages text[])
returns jsonb
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_strip_nulls(jsonb_object_agg(
    o.name,
    case
      when jsonb_typeof(o.value) = 'object' then to_jsonb(private.choose_text(o.value, options_for_text.purpose, options_for_text.languages))
      else o.value
    end
  )), '{}')
  from jsonb_each(options_for_text.options) o (name, value)
$$;

comment on function private.options_for_text(jsonb, text, text[]) is
$$The options of a provider for one message: of what is given by purpose and locale, such as twilio.contentSid, the id of this text, by the
same rule as the text (private.choose_text); left out where there is none. purpose, languages: of the message.$$;
