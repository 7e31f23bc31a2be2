begin;
select plan(10);
select is(private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', decode(repeat('42', 32), 'hex')),
  crypto.hmac('01234567-89ab-7def-8123-456789abcdef:123456'::bytea, decode(repeat('42', 32), 'hex'), 'sha256'),
  'the hash is HMAC-SHA-256 of id and code under the key');
select is(length(private.hash_code(gen_random_uuid(), '123456', test.code_key())), 32, 'the hash has 32 bytes');
select isnt(private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', test.code_key()),
  private.hash_code('01234567-89ab-7def-8123-456789abcdee', '123456', test.code_key()),
  'the same code has different hashes for two one-time passwords');
select isnt(private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', test.code_key()),
  private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', decode(repeat('43', 32), 'hex')),
  'the same code has different hashes under two keys');
select throws_ok($$select private.hash_code(gen_random_uuid(), '123456', null)$$, '22023', null,
  'hash_code raises an error without a key');
select throws_ok($$select private.hash_code(gen_random_uuid(), '123456', decode(repeat('42', 31), 'hex'))$$, '22023', null,
  'hash_code raises an error for a key of less than 32 bytes');
select lives_ok($$select private.hash_code(gen_random_uuid(), '123456', decode(repeat('42', 64), 'hex'))$$,
  'hash_code accepts a longer key');
select is(private.hash_code(null, '123456', test.code_key()), null, 'the hash is null without a one-time password''s id');
select is(private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', decode(repeat('aa', 8) || repeat('42', 32) || repeat('bb', 8) || repeat('43', 32), 'hex')),
  private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', decode(repeat('42', 32), 'hex')) || decode(repeat('aa', 8), 'hex'),
  'with the names of peppers, the first key hashes, and its pepper''s name is behind the hash');
select is(private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456',
    private.code_key_for(decode(repeat('aa', 8) || repeat('42', 32) || repeat('bb', 8) || repeat('43', 32), 'hex'), decode(repeat('00', 32) || repeat('bb', 8), 'hex'))),
  private.hash_code('01234567-89ab-7def-8123-456789abcdef', '123456', decode(repeat('43', 32), 'hex')) || decode(repeat('bb', 8), 'hex'),
  'what is compared with a hash of the previous pepper is hashed under that');

select * from finish();
rollback;
