create or replace function private.option_ids_fault(provider text, options jsonb)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_registered constant text := '^[A-Za-z0-9]{1,50}$';
  -- By purpose and locale: each is the id of one text.
  c_patterns constant jsonb := jsonb_build_object('contentSid', '^HX[0-9a-fA-F]{32}$', 'templateId', c_registered, 'contentId', c_registered);
  c_examples constant jsonb := jsonb '{
    "contentSid": "HX and 32 hexadecimal digits", "templateId": "1107234567890123456", "contentId": "1107234567890123456"
  }';
  v_name text;
  v_fault text;
begin
  for v_name in select n.name from jsonb_object_keys(option_ids_fault.options) n (name) where c_patterns ? n.name order by n.name loop
    v_fault := private.text_ids_fault(
      format('%s.%s', option_ids_fault.provider, v_name), option_ids_fault.options -> v_name, c_patterns ->> v_name, c_examples ->> v_name
    );
    if v_fault is not null then
      return v_fault;
    end if;
  end loop;
  if option_ids_fault.options ? 'entityId'
    and (jsonb_typeof(option_ids_fault.options -> 'entityId') <> 'string' or option_ids_fault.options ->> 'entityId' !~ c_registered) then
    return format('%s.entityId must be an id such as 1101234567890123456', option_ids_fault.provider);
  end if;
  return null;
end
$$;

comment on function private.option_ids_fault(text, jsonb) is
$$What is wrong with the ids in a provider's options: of templates of WhatsApp (contentSid), of the sender (entityId) and of its texts
(templateId, Vonage's contentId) in India's registry; null when nothing is.$$;
