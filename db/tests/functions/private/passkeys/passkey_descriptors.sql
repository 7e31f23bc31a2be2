begin;
select plan(2);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
select test.make_factor(id), test.make_passkey(id, '\x01'), test.make_passkey(id, '\xfb'), test.make_passkey(other, '\x02') from actor;
update "user".factor set transports = array['usb', 'nfc'] where credential_id = '\xfb';
select is(private.passkey_descriptors(id), '[{"type": "public-key", "id": "AQ"}, {"type": "public-key", "id": "-w", "transports": ["usb", "nfc"]}]',
  'a user''s passkeys are listed, without its apps') from actor;
select is(private.passkey_descriptors(gen_random_uuid()), '[]', 'nobody has none');
select * from finish();
rollback;
