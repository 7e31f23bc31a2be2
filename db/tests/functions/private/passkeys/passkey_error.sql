begin;
select plan(2);
select is(private.passkey_error('example.com'), null, 'a domain has passkeys');
select is((private.passkey_error(null)).details ->> 'reason', 'not_enabled', 'without one there are none');
select * from finish();
rollback;
