begin;
select plan(3);
delete from private.signing_key;
select is(private.add_signing_key('a', 'ES256', '\x01', 'k'), null, 'a key is added');
select is((select row(kid, state, sealed_key, verifies_until)::text from private.signing_key), '(a,next,"\\x01",)', 'as the next one');
select matches(private.add_signing_key('b', 'RS256', '\x02', 'k'), '^There is a next key already', 'there is one next key at a time');
select * from finish();
rollback;
