begin;
select plan(7);
create function pg_temp.chosen(languages text[], texts jsonb default '{"de": "neu", "pt-BR": "novo", "default": "new"}') returns text language sql
as $$ select private.choose_notice(jsonb_build_object('template', '{{code}}', 'templates', jsonb_build_object('default', '{"fr": "{{code}}"}'::jsonb, 'PHONE_CHANGED', texts)), languages) $$;
select is(pg_temp.chosen('{de-AT}'), 'neu', 'the text is chosen by language');
select is(pg_temp.chosen('{ja,pt-BR,de}'), 'novo', 'by the first that has one');
select is(pg_temp.chosen('{fr}'), 'new', 'a text with a code is never chosen');
select is(pg_temp.chosen('{}'), 'new', 'without a language it is the default');
select matches(pg_temp.chosen('{fr}', '{"de": "neu"}'), '^Your account has another phone number', 'without a default it is our own');
select matches(private.choose_notice('{"template": "{{code}}"}', '{de}'), '^Your account has', 'as without any texts');
select is(private.sms_segments(private.choose_notice('{"template": "{{code}}"}', '{}')), 1, 'which takes one SMS');

select * from finish();
rollback;
