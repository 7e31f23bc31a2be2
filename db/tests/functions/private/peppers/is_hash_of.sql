begin;
select plan(8);
select test.watch_bcrypt();
create function pg_temp.hash(prehash text, id text) returns text language sql as $$ select private.bcrypt(id || ':' || prehash, private.decoy_salt(4)) $$;
select is(private.is_hash_of('aaaaaaaaaaaaaaaa:one', pg_temp.hash('one', 'aaaaaaaaaaaaaaaa')), true, 'a password fits its hash');
select is(private.is_hash_of('aaaaaaaaaaaaaaaa:two', pg_temp.hash('one', 'aaaaaaaaaaaaaaaa')), false, 'another one does not');
select is(private.is_hash_of('bbbbbbbbbbbbbbbb:new,aaaaaaaaaaaaaaaa:one', pg_temp.hash('one', 'aaaaaaaaaaaaaaaa')), true,
  'while the pepper is rotated it fits the hash of the previous one');
select is(private.is_hash_of('bbbbbbbbbbbbbbbb:one,aaaaaaaaaaaaaaaa:old', pg_temp.hash('one', 'aaaaaaaaaaaaaaaa')), false,
  'and is not compared with that of the other one');
select is(private.is_hash_of('bbbbbbbbbbbbbbbb:new', pg_temp.hash('one', 'aaaaaaaaaaaaaaaa')), false, 'a hash of a dropped pepper fits nothing');
select is(private.is_hash_of('one', crypto.crypt('one', private.decoy_salt(4))), true, 'neither needs a name');
select is(private.is_hash_of('one', private.decoy_salt(4)), false, 'a salt is no hash');
select test.bcrypt_rounds();
select private.is_hash_of(p, h) from (values
  ('bbbbbbbbbbbbbbbb:new,aaaaaaaaaaaaaaaa:one', '$2a$04$' || repeat('.', 53) || ':aaaaaaaaaaaaaaaa'),
  ('bbbbbbbbbbbbbbbb:new', '$2a$04$' || repeat('.', 53) || ':aaaaaaaaaaaaaaaa'),
  ('bbbbbbbbbbbbbbbb:new,aaaaaaaaaaaaaaaa:one', '$2a$04$' || repeat('.', 53))
) v (p, h);
select is(test.bcrypt_rounds(), 3 * 16::bigint, 'each comparison is one bcrypt of the cost of the hash, whichever peppers are named');
select * from finish();
rollback;
