begin;
select plan(7);
select test.clean_slate();
-- 140 bytes: 127 of the message, a blank line and the hash.
create function pg_temp.provider(template text, de text default '{{code}}') returns void language sql
as $$ select test.set_setting('OTP_PROVIDER', jsonb_build_object('providerToUse', 'console', 'template', template, 'templates', jsonb_build_object('LOGIN', jsonb_build_object('de', de)))) $$;
select pg_temp.provider(repeat('a', 300) || '{{code}}');
select is(private.app_hash_fault(), null, 'without an app a text may be longer');
select pg_temp.provider(repeat('a', 121) || '{{code}}');
select test.set_setting('OTP_APP_HASHES', '["FA+9qCX9VSu"]');
select is(private.app_hash_fault(), null, 'a text of 127 bytes leaves room for the hash');
update settings.configuration set value = '{"providerToUse": "console", "template": "{{code}}"}' where key = 'OTP_PROVIDER';
alter table settings.configuration disable trigger check_together;
select pg_temp.provider(repeat('a', 122) || '{{code}}');
select is(private.app_hash_fault(), 'template of OTP_PROVIDER takes up to 141 bytes with the hash of an app, and OTP_APP_HASHES allows 140',
  'one byte more is too long');
select pg_temp.provider('{{code}}', repeat('ü', 61) || '{{code}}');
select is(private.app_hash_fault(), 'templates.LOGIN.de of OTP_PROVIDER takes up to 141 bytes with the hash of an app, and OTP_APP_HASHES allows 140',
  'bytes are those of UTF-8, and the text is named');
select pg_temp.provider(repeat('a', 118) || '{{code}}{{minutes}}');
select test.set_setting('OTP_TTL_SECONDS', '6000');
select is(private.app_hash_fault(), null, 'three digits of minutes fit');
select test.set_setting('OTP_LENGTH', '7');
select ok(private.app_hash_fault() like 'template % 141 bytes %', 'a longer code does not');

select test.set_setting('OTP_LENGTH', '6');
select test.set_setting('OTP_PROVIDER', jsonb_build_object('providerToUse', 'console', 'template', '{{code}}',
  'templates', jsonb_build_object('PHONE_CHANGED', jsonb_build_object('de', repeat('a', 150)))));
select is(private.app_hash_fault(), null, 'a notice without a code may be longer');

select * from finish();
rollback;
