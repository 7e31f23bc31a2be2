begin;
select plan(4);
delete from private.signing_key;
insert into private.signing_key (kid, algorithm, state, sealed_key, encryption_key_id, created_at, verifies_until) values
  ('old', 'ES256', 'retired', '\x01', 'k', now(), now() + interval '1 day'), ('gone', 'ES256', 'retired', '\x01', 'k', now(), now() - interval '1 second'),
  ('next', 'RS256', 'next', '\x01', 'k', now(), null), ('current', 'ES256', 'current', '\x01', 'k', now(), null);
select results_eq($$select kid from startup.signing_keys()$$, array['current', 'next', 'old'], 'the current key comes first; one with nothing left to verify is gone');
select is(test.call_as('latchkey_server', $$(select count(*)::integer from startup.signing_keys()) counted$$, null::integer), 3, 'the server reads them');
select throws_ok($$set local role latchkey_worker; select startup.signing_keys()$$, '42501', null, 'the worker does not');
reset role;
select throws_ok($$set local role latchkey_server; select * from private.signing_key$$, '42501', null, 'and nobody reads the table');
select * from finish();
rollback;
