begin;
select plan(2);
select test.clean_slate();
select private.lock_emails(array['b@example.org', null, 'a@example.org', 'b@example.org']);
select is((select array_agg(identifier_type || ' ' || identifier order by ctid) from private.verification_state), array['EMAIL a@example.org', 'EMAIL b@example.org'],
  'each address is locked once, in the order of the addresses');
select lives_ok('select private.lock_emails(array[null, null]::text[])', 'there may be none');
select * from finish();
rollback;
