begin;
select plan(2);
select is(private.passkey_methods(row(0, true, false, false)::private.signed_passkey), array['hwk', 'user'], 'a key of one device that verified its user');
select is(private.passkey_methods(row(0, false, true, false)::private.signed_passkey), array['swk'], 'a key that may be copied, of somebody who was there');
select * from finish();
rollback;
