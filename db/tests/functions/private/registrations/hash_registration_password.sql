begin;
select plan(10);
select test.clean_slate(), test.watch_bcrypt();
create function pg_temp.hash(phone text, password text) returns text language sql
as $$ select private.hash_registration_password(phone, test.prehash(password)) $$;
create temp table first on commit drop as select pg_temp.hash('+12025550101', 'correct horse') as hash;

select is(test.bcrypt_rounds(), 16::bigint, 'hashing a registration''s password runs bcrypt once');
select is(pg_temp.hash('+12025550101', 'correct horse'), (select hash from first),
  'the same phone and password give the same hash');
select isnt(pg_temp.hash('+12025550101', 'another'), (select hash from first), 'another password gives another hash');
select isnt(pg_temp.hash('+12025550102', 'correct horse'), (select hash from first), 'another phone gives another hash');
select ok((select crypto.crypt(test.prehash('correct horse'), hash) = hash from first),
  'a login can compare the password with the hash');
create temp table salt on commit drop as select left(pg_temp.hash('+1202555' || n, 'correct horse'), 29) as salt from generate_series(1, 100) n;
select is_empty($$select salt from salt where salt !~ '^\$2a\$04\$[./A-Za-z0-9]{22}$'$$, 'a salt has the form of a bcrypt salt');
select is((select count(distinct salt)::integer from salt), 100, 'a hundred phones have a hundred salts');
select test.bcrypt_rounds();
select test.set_setting('PASSWORD_HASH_COST', '5'), test.bcrypt_rounds();
select ok(pg_temp.hash('+12025550101', 'correct horse') like '$2a$05$%', 'the hash has the cost of PASSWORD_HASH_COST');
select is(test.bcrypt_rounds(), 32::bigint, 'hashing at another cost runs bcrypt once at that cost');
select is(substr(pg_temp.hash('+12025550101', 'correct horse'), 8, 21), (select substr(hash, 8, 21) from first), 'and the same random part of the salt');

select * from finish();
rollback;
