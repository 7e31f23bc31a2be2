begin;
select plan(13);
-- The tables of 3GPP TS 23.038, section 6.2.1, by code point
select is(private.sms_encoding(chr(c)), 'GSM-7', 'printable ASCII but the grave accent is GSM-7: ' || c)
from (select 32 union select 126 union select ascii('@') union select ascii('|')) a (c);
select is((select string_agg(chr(c), '' order by c) from generate_series(1, 127) c where private.sms_encoding(chr(c)) = 'UCS-2'),
  (select string_agg(chr(c), '' order by c) from generate_series(1, 127) c where c < 32 and c not in (10, 12, 13) or c in (96, 127)),
  'of ASCII only control characters and the grave accent are not in GSM-7');
select is((select string_agg(chr(c), '' order by c) from generate_series(128, 255) c where private.sms_encoding(chr(c)) = 'GSM-7'),
  '¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùü', 'of Latin-1 exactly these characters are in GSM-7');
select is((select string_agg(chr(c), '' order by c) from generate_series(256, 55295) c where private.sms_encoding(chr(c)) = 'GSM-7'),
  'ΓΔΘΛΞΠΣΦΨΩ€', 'beyond Latin-1 exactly ten capital letters of Greek and the euro are in GSM-7');
select is(private.sms_encoding(''), 'GSM-7', 'an empty text is GSM-7');
select is(private.sms_encoding(text), 'UCS-2', '"' || text || '" is UCS-2') from unnest(array['ç', 'Code: 1 ’', 'Код', '验证码', '🔑']) text;

select * from finish();
rollback;
