begin;
select plan(17);
select is(array(select t from unnest(private.language_lookup(tag)) with ordinality u (t, n) group by t order by min(n)), tags, coalesce(tag, 'null') || ' is looked up as ' || tags::text)
from (values
  -- The example of RFC 4647, section 3.4
  ('zh-Hant-CN-x-private1-private2', '{zh-hant-cn-x-private1-private2,zh-hant-cn-x-private1,zh-hant-cn,zh-hant,zh-hant-tw,zh}'::text[]),
  ('zh-Hant-TW', '{zh-hant-tw,zh-hant,zh}'),
  ('zh-TW', '{zh-hant-tw,zh-hant,zh}'),
  ('zh-HK', '{zh-hant-hk,zh-hant,zh-hant-tw,zh}'),
  ('zh-Hans', '{zh-hans,zh-hans-cn,zh}'),
  ('zh', '{zh,zh-hans,zh-hans-cn}'),
  ('sr-Latn-RS', '{sr-latn-rs,sr-latn,sr}'),
  ('de-DE-u-co-phonebk', '{de-de-u-co-phonebk,de-de-u-co,de-de,de}'),
  ('pt', '{pt,pt-br}'),
  ('pt-PT', '{pt-pt,pt,pt-br}'),
  ('pt-BR', '{pt-br,pt}'),
  ('nn-NO', '{nn-no,nn,nb}'),
  ('no', '{nb}'),
  ('iw-IL', '{he-il,he}'),
  ('', '{}'),
  (null, '{}')
) t (tag, tags);
select is(private.language_lookup(repeat('a-', 1000000)), private.language_lookup(repeat('a-', 17) || 'a'),
  'of a tag that no request can have only the valid length is looked up');

select * from finish();
rollback;
