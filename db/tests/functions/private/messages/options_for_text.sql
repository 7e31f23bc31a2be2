begin;
select plan(6);
create function pg_temp.options(purpose text, languages text[], options jsonb default '{"from": "+12125550100", "contentSid":
  {"LOGIN": {"de": "HXlogin-de"}, "default": {"default": "HXdefault", "zh-Hant": "HXhant"}}}') returns jsonb language sql
as $$ select private.options_for_text(options, purpose, languages) $$;
select is(pg_temp.options('LOGIN', '{de-AT}'), '{"from": "+12125550100", "contentSid": "HXlogin-de"}', 'the id is that of purpose and language, other options stay');
select is(pg_temp.options('LOGIN', '{fr}') ->> 'contentSid', 'HXdefault', 'a purpose without the language has the id for every purpose');
select is(pg_temp.options('TEST', '{zh-TW}') ->> 'contentSid', 'HXhant', 'languages are looked up as those of texts are');
select is(pg_temp.options('PHONE_CHANGED', '{de}'), '{"from": "+12125550100"}', 'a notice gets no id of a text with a code');
select is(pg_temp.options('LOGIN', '{de}', '{}'), '{}', 'no options stay none');
select is(pg_temp.options('LOGIN', '{de}', '{"url": "https://sms.example"}'), '{"url": "https://sms.example"}', 'options without ids stay as they are');

select * from finish();
rollback;
