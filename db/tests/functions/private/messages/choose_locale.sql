begin;
select plan(21);
create function pg_temp.chosen(locales text, variadic languages text[]) returns text language sql
as $$ select private.choose_locale((select jsonb_object_agg(l, l) from unnest(locales::text[]) l), array_remove(languages, '')) $$;
select is(pg_temp.chosen(locales, language), chosen, language || ' finds ' || coalesce(chosen, 'nothing') || ' among ' || locales)
from (values
  ('{zh-Hant,default}', 'zh-Hant-TW', 'zh-Hant'),
  ('{sr-Latn,default}', 'sr-Latn-RS', 'sr-Latn'),
  ('{zh-Hant,zh-Hans}', 'zh-TW', 'zh-Hant'),
  ('{zh-TW,zh-CN}', 'zh-Hant', 'zh-TW'),
  ('{zh-TW,zh-CN}', 'zh-HK', 'zh-TW'),
  ('{zh-TW,zh-CN}', 'zh', 'zh-CN'),
  ('{zh-Hans,default}', 'zh-TW', 'default'),
  ('{pt-BR}', 'pt', 'pt-BR'),
  ('{pt-BR,pt-PT}', 'pt-PT', 'pt-PT'),
  ('{nb}', 'no', 'nb'),
  ('{no}', 'nn-NO', 'no'),
  ('{he}', 'iw', 'he'),
  ('{iw}', 'he-IL', 'iw'),
  ('{PT-br}', 'Pt-Br', 'PT-br'),
  ('{de-AT}', 'de', null),
  ('{DEFAULT}', 'ja', 'DEFAULT')
) t (locales, language, chosen);
select is(pg_temp.chosen('{de,de-AT}', 'de-CH', 'de-AT'), 'de', 'a shorter tag of the first language counts before the whole tag of the second');
select is(pg_temp.chosen('{it,fr}', 'ja', 'fr', 'it'), 'fr', 'the first language that has a text counts');
select is(pg_temp.chosen('{it,default}', ''), 'default', 'without a language the default counts');
select is(private.choose_locale(null, '{de}'), null, 'without texts there is none');
select is(private.choose_locale('{"default": "d"}', null), 'd', 'no languages are as none');

select * from finish();
rollback;
