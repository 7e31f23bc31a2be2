begin;
select plan(5);
select test.clean_slate();
create temp table signature on commit drop as select private.identity_signature('{"sub": "a"}') as mine;
select matches(mine, '^[0-9a-f]{64}$', 'a signature is 64 hexadecimal digits') from signature;
select is(private.identity_signature('{"sub": "a"}'), mine, 'it is the same throughout the transaction') from signature;
select isnt(private.identity_signature('{"sub": "b"}'), mine, 'other claims have another one') from signature;
select is(mine, encode(crypto.hmac(
    convert_to(pg_backend_pid() || ' ' || extract(epoch from transaction_timestamp()) || ' {"sub": "a"}', 'UTF8'), i.identity_key, 'sha256'
  ), 'hex'), 'it is of this process and of the start of this transaction')
from signature, private.installation i;
update private.installation set identity_key = '\x01';
select isnt(private.identity_signature('{"sub": "a"}'), mine, 'another key makes another one') from signature;
select * from finish();
rollback;
