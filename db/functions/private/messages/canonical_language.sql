create or replace function private.canonical_language(tag text)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Of CLDR's aliases and likely scripts those that browsers send.
  c_aliases constant jsonb := jsonb '{
    "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "no": "nb", "tl": "fil",
    "zh-tw": "zh-hant-tw", "zh-hk": "zh-hant-hk", "zh-mo": "zh-hant-mo", "zh-cn": "zh-hans-cn", "zh-sg": "zh-hans-sg"
  }';
  v_tag text := lower(canonical_language.tag);
  v_language text := split_part(v_tag, '-', 1);
  v_region text := v_language || '-' || split_part(v_tag, '-', 2);
begin
  return case
    when c_aliases ? v_region then c_aliases ->> v_region || substr(v_tag, length(v_region) + 1)
    when c_aliases ? v_language then c_aliases ->> v_language || substr(v_tag, length(v_language) + 1)
    else v_tag
  end;
end
$$;

comment on function private.canonical_language(text) is
$$A language tag in the spelling in which tags are compared: lower case, a replaced language by its present name (iw is he, no is nb), and
Chinese of a region with the script that is read there (zh-TW is zh-Hant-TW).$$;
