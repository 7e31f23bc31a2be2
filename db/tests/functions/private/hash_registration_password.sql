begin;
select plan(7);
select test.clean_slate(), test.watch_bcrypt();
create function pg_temp.hash(phone text, password text) returns text language sql
as $$ select private.hash_registration_password(phone, test.prehash(password)) $$;
create temp table first on commit drop as select pg_temp.hash('+12025550101', 'correct horse') as hash;

select is(test.bcrypt_rounds(), 16::bigint, 'a registration''s password costs one bcrypt');
select is(pg_temp.hash('+12025550101', 'correct horse'), (select hash from first), 'the same password of the same phone makes the same hash');
select isnt(pg_temp.hash('+12025550101', 'another'), (select hash from first), 'another makes another');
select isnt(pg_temp.hash('+12025550102', 'correct horse'), (select hash from first), 'each phone has its own');
select ok((select crypto.crypt(test.prehash('correct horse'), hash) = hash from first), 'and a login compares it like any hash');
select test.set_setting('PASSWORD_HASH_COST', '5'), test.bcrypt_rounds();
select ok(pg_temp.hash('+12025550101', 'correct horse') like '$2a$05$%', 'it is made at the cost in force');
select is(test.bcrypt_rounds(), 32::bigint, 'by one bcrypt at that cost');

select * from finish();
rollback;
