begin;
select plan(25);
create function pg_temp.chosen(purpose text, variadic languages text[]) returns text language sql
as $$
  select private.choose_template('{"template": "last", "templates": {
    "LOGIN": {"de": "login de", "de-AT": "login de-AT", "pt-br": "login pt-BR", "default": "login default"},
    "SIGNUP": {"fr": "signup fr"},
    "default": {"fr": "any fr", "it": "any it", "default": "any default"}
  }}', purpose, array_remove(languages, ''))
$$;
select is(pg_temp.chosen('LOGIN', 'de'), 'login de', 'a text is chosen by purpose and language');
select is(pg_temp.chosen('LOGIN', 'de-AT'), 'login de-AT', 'the tag counts before its primary language');
select is(pg_temp.chosen('LOGIN', 'de-CH'), 'login de', 'a tag without a text gets that of its primary language');
select is(pg_temp.chosen('LOGIN', 'PT-BR'), 'login pt-BR', 'case does not count in tags');
select is(pg_temp.chosen('LOGIN', 'DE'), 'login de', 'case does not count in primary languages');
select is(pg_temp.chosen('LOGIN', 'pt'), 'login pt-BR', 'a language gets the text of the region that CLDR takes for it');
select is(pg_temp.chosen('LOGIN', 'pt-BR', 'de'), 'login pt-BR', 'the first language that has a text counts');
select is(pg_temp.chosen('LOGIN', 'ja', 'de', 'pt-BR'), 'login de', 'a language without a text is passed over');
select is(pg_temp.chosen('LOGIN', 'de-CH', 'de-AT'), 'login de', 'the primary language of the first counts before the tag of the second');
select is(pg_temp.chosen('LOGIN', 'fr'), 'login default', 'the purpose''s default counts before other purposes'' texts');
select is(pg_temp.chosen('LOGIN', ''), 'login default', 'without a language the purpose''s default counts');
select is(pg_temp.chosen('SIGNUP', 'fr'), 'signup fr', 'a purpose''s text counts before that for every purpose');
select is(pg_temp.chosen('SIGNUP', 'it', 'fr'), 'signup fr', 'a purpose''s text for a later language counts before one for every purpose');
select is(pg_temp.chosen('SIGNUP', 'it-CH'), 'any it', 'a purpose without a text for the language gets that for every purpose');
select is(pg_temp.chosen('PASSWORD_RESET', 'ja'), 'any default', 'then the default for every purpose');
select is(private.choose_template('{"template": "last", "templates": {"LOGIN": {"de": "x"}, "default": {"it": "y"}}}', 'LOGIN', array['ja']), 'last',
  'template is the last resort');
select is(private.choose_template('{"template": "last"}', 'LOGIN', array['ja']), 'last', 'without templates there is template');

-- A notice
create function pg_temp.notice(languages text[], texts jsonb default '{"de": "neu", "pt-BR": "novo", "default": "new"}') returns text language sql
as $$ select private.choose_template(jsonb_build_object('template', '{{code}}', 'templates', jsonb_build_object('default', '{"fr": "{{code}}"}'::jsonb, 'PHONE_CHANGED', texts)), 'PHONE_CHANGED', languages) $$;
select is(pg_temp.notice('{de-AT}'), 'neu', 'the text is chosen by language');
select is(pg_temp.notice('{ja,pt-BR,de}'), 'novo', 'by the first that has one');
select is(pg_temp.notice('{fr}'), 'new', 'a text with a code is never chosen');
select is(pg_temp.notice('{}'), 'new', 'without a language it is the default');
select matches(pg_temp.notice('{fr}', '{"de": "neu"}'), '^Your account has another phone number', 'without a default it is our own');
select matches(private.choose_template('{"template": "{{code}}"}', 'PHONE_CHANGED', '{de}'), '^Your account has', 'as without any texts');
select is(private.sms_segments(private.choose_template('{"template": "{{code}}"}', 'PHONE_CHANGED', '{}')), 1, 'which takes one SMS');

select is(private.choose_template('{"template": "{{code}}"}', 'INVITATION', '{}'), 'You are invited to open an account with this phone number: sign up with it.',
  'an invitation has a text of its own');

select * from finish();
rollback;
