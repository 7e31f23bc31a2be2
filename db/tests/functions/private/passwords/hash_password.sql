begin;
select plan(5);
select test.clean_slate();
create temp table hash on commit drop as select private.hash_password(test.prehash('correct horse')) as hash;
select ok((select hash = crypto.crypt(test.prehash('correct horse'), hash) from hash), 'the hash matches the password');
select ok((select hash like '$2a$04$%' from hash), 'the hash is bcrypt at PASSWORD_HASH_COST');
select isnt((select hash from hash), private.hash_password(test.prehash('correct horse')), 'every call uses a new salt');
select test.set_setting('PASSWORD_HASH_COST', '5');
select ok(private.hash_password(test.prehash('correct horse')) like '$2a$05$%', 'a change of PASSWORD_HASH_COST applies at once');
select isnt(crypto.crypt(repeat('x', 43) || 'a', '$2a$04$.....................O'),
  crypto.crypt(repeat('x', 43) || 'b', '$2a$04$.....................O'),
  'bcrypt uses all 44 characters of a pre-hash');

select * from finish();
rollback;
