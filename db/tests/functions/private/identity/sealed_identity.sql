begin;
select plan(9);
select private.seal_identity('{"sub": "a", "user_type": "user"}');
create temp table sealed on commit drop as select current_setting('latchkey.identity') as text;
select is(private.sealed_identity(text) ->> 'sub', 'a', 'what was sealed is read') from sealed;
select is(private.sealed_identity(forged), null, what || ' is not')
from sealed, lateral (values
  (overlay(text placing 'b' from 74 for 1), 'an altered claim'),
  (repeat('0', 64) || substr(text, 65), 'a made-up signature'),
  (substr(text, 65), 'a text without signature'),
  (text || ' ', 'an appended character'),
  (left(text, 64), 'a signature of nothing'),
  ('', 'an empty text'),
  (null, 'no text')
) f (forged, what);
update private.installation set identity_key = '\x01';
select is(private.sealed_identity(text), null, 'nor what another key sealed') from sealed;
select * from finish();
rollback;
