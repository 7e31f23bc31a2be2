begin;
select plan(2);
select results_eq($$select (t).purpose, (t).locale, (t).template from private.otp_texts('{"providerToUse": "console", "template": "Code {{code}}"}') t$$,
  $$values (null::text, null::text, 'Code {{code}}')$$, 'a record without templates has one text');
select results_eq($$select (t).purpose, (t).locale, (t).template
    from private.otp_texts('{"template": "a", "templates": {"LOGIN": {"de": "b", "default": "c"}, "default": {"pt-BR": "d"}, "SIGNUP": {}}}') t$$,
  $$values (null, null, 'a'), ('LOGIN', 'de', 'b'), ('LOGIN', 'default', 'c'), ('default', 'pt-BR', 'd')$$,
  'every text has its purpose and locale');

select * from finish();
rollback;
