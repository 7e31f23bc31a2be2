create or replace function private.language_lookup(tag text)
returns text[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- What CLDR takes for a language or script without more, or reads where there is none of it.
  c_likely constant jsonb := jsonb '{
    "pt": "pt-br", "nn": "nb", "zh": "zh-hans", "zh-hans": "zh-hans-cn", "zh-hant": "zh-hant-tw"
  }';
  v_tag text := private.canonical_language(left(language_lookup.tag, private.longest_language_tag()));
  v_tags text[] := array[]::text[];
begin
  while v_tag <> '' loop
    v_tags := v_tags || v_tag;
    v_tag := case
      -- Simplified Chinese is not what a reader of the traditional script asked for.
      when c_likely ? v_tag and c_likely ->> v_tag <> all (v_tags) and not (v_tag = 'zh' and 'zh-hant' = any (v_tags)) then c_likely ->> v_tag
      -- Without the last subtag, nor a single character before it: that only introduces an extension.
      else regexp_replace(v_tag, '(-[^-])?-?[^-]+$', '')
    end;
  end loop;
  return v_tags;
end
$$;

comment on function private.language_lookup(text) is
$$The tags that a text may have for a language, the best one first: the tag, cut by one subtag after the other (RFC 4647, section 3.4), each
followed by what CLDR takes for it (pt-BR for pt). In the spelling of private.canonical_language. tag: cut at the longest one that is valid.$$;
