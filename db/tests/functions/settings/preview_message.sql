begin;
select plan(4);
select test.clean_slate();
select test.set_setting('OTP_LENGTH', '8'), test.set_setting('OTP_TTL_SECONDS', '600');
create function pg_temp.preview(template text) returns text language sql as $$
  select concat_ws('|', p.message, p.encoding, p.characters, p.segments, p.fault) from settings.preview_message(template) p $$;
select is(pg_temp.preview('{{code}}, {{minutes}} min'), '00000000, 10 min|GSM-7|16|1', 'a text is filled in and measured');
select is(pg_temp.preview('{{code}} ' || repeat('ç', 70)), '00000000 ' || repeat('ç', 70) || '|UCS-2|79|2', 'a long one takes several SMS');
select is(pg_temp.preview('Hello'), 'Hello|GSM-7|5|1|The text must be a text that holds {{code}}', 'a text that would be refused has its fault');
select is((test.call_as('latchkey_admin', 'settings.preview_message(''{{code}}'')', null::settings.message_preview)).segments, 1, 'the admin may ask');

select * from finish();
rollback;
