begin;
select plan(8);
select is(private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', decode(repeat('42', 32), 'hex')),
  crypto.hmac('01234567-89ab-7def-8123-456789abcdef:123456'::bytea, decode(repeat('42', 32), 'hex'), 'sha256'),
  'the hash is HMAC-SHA-256 of id and code under the key');
select is(length(private.hash_code(gen_random_uuid(), '123456', test.code_key())), 32, 'of 32 bytes');
select isnt(private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', test.code_key()),
  private.hash_code('01234567-89ab-7def-8123-456789abcdee', '123456', test.code_key()), 'one code of two one-time passwords has two hashes');
select isnt(private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', test.code_key()),
  private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', decode(repeat('43', 32), 'hex')), 'and two keys make two');
select throws_ok($$select private.hash_code(gen_random_uuid(), '123456', null)$$, '22023', null, 'without a key nothing is hashed');
select throws_ok($$select private.hash_code(gen_random_uuid(), '123456', decode(repeat('42', 31), 'hex'))$$, '22023', null,
  'nor under one of less than 32 bytes');
select lives_ok($$select private.hash_code(gen_random_uuid(), '123456', decode(repeat('42', 64), 'hex'))$$, 'a longer one will do');
select is(private.hash_code(null, '123456', test.code_key()), null, 'where there is no one-time password there is no hash');

select * from finish();
rollback;
