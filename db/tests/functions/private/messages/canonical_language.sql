begin;
select plan(15);
select is(private.canonical_language(tag), canonical, tag || ' is compared as ' || canonical)
from (values
  ('de', 'de'), ('de-AT', 'de-at'), ('IW', 'he'), ('iw-IL', 'he-il'), ('in-ID', 'id-id'), ('no-NO', 'nb-no'), ('nn', 'nn'),
  ('zh-TW', 'zh-hant-tw'), ('zh-HK', 'zh-hant-hk'), ('zh-CN', 'zh-hans-cn'), ('zh-Hant-TW', 'zh-hant-tw'), ('zh', 'zh'),
  ('zh-TW-x-a', 'zh-hant-tw-x-a'), ('default', 'default'), ('', '')
) t (tag, canonical);

select * from finish();
rollback;
