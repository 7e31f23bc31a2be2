begin;
select plan(8);
do $$ begin
  perform test.clean_slate();
  perform test.make_account('+12025550101', verified_at => null);
  perform test.make_account('+12025550102');
  perform test.watch_bcrypt();
end $$;
create function pg_temp.hash(phone text, password text) returns text language sql
as $$ select private.hash_registration_password(phone, test.prehash(password)) $$;
create function pg_temp.stored(phone text) returns text language sql as $$ select password_hash from "user".account a where a.phone = stored.phone $$;

select is(pg_temp.hash('+12025550101', 'correct horse'), pg_temp.stored('+12025550101'), 'the password of an unverified registration makes the same hash');
select is(test.bcrypt_rounds(), 16::bigint, 'by one bcrypt');
select isnt(pg_temp.hash('+12025550101', 'another'), pg_temp.stored('+12025550101'), 'another makes another');
select is(test.bcrypt_rounds(), 16::bigint, 'by one bcrypt too');
select isnt(pg_temp.hash('+12025550102', 'correct horse'), pg_temp.stored('+12025550102'), 'a verified account''s salt is not used');
select ok(pg_temp.hash('+12025550103', 'correct horse') like '$2a$04$%', 'a phone never registered gets a salt of its own');
do $$ begin perform test.set_setting('PASSWORD_HASH_COST', '5'); perform test.bcrypt_rounds(); end $$;
select ok(pg_temp.hash('+12025550101', 'correct horse') like '$2a$05$%', 'a registration at another cost is hashed at the cost in force');
select is(test.bcrypt_rounds(), 32::bigint, 'by one bcrypt at that cost, as for any phone');

select * from finish();
rollback;
