begin;
select plan(22);
do $$ begin perform test.clean_slate(); end $$;
create function pg_temp.hash(password text) returns text language sql as $$ select crypto.crypt(test.prehash(password), '$2a$04$.....................O') $$;
create function pg_temp.store(phone text, password text, client text) returns uuid language plpgsql
as $$
declare
  v_id uuid := private.new_id();
begin
  perform private.store_registration(v_id, phone, password || '@example.org', pg_temp.hash(password), client);
  return v_id;
end
$$;
create function pg_temp.contested(phone text) returns boolean language sql
as $$ select a.registration_is_contested from "user".account a where a.phone = contested.phone $$;

-- The first
create temp table first on commit drop as select pg_temp.store('+12025550101', 'mine', 'home') as id;
select is((select row(id, phone, email, password_hash, phone_verified_at, registered_from, registration_is_contested)::text from "user".account),
  (select row(id, '+12025550101', 'mine@example.org', pg_temp.hash('mine'), null, 'home', false)::text from first), 'a registration is stored, unverified and not contested');
select ok((select created_at between now() and clock_timestamp() from "user".account), 'and dated');

-- Again
update "user".account set created_at = clock_timestamp() - interval '23 hours';
create temp table second on commit drop as select pg_temp.store('+12025550101', 'mine', 'home') as id;
select is((select id from "user".account), (select id from second), 'registering again takes the new id');
select ok((select created_at >= now() from "user".account), 'and starts the 24 hours anew');
select ok(not pg_temp.contested('+12025550101'), 'the same password from the same client is no contest');
do $$ begin perform pg_temp.store('+12025550101', 'mended', 'home'); end $$;
select is((select password_hash from "user".account), pg_temp.hash('mended'), 'while unverified the password is replaced');
select ok(not pg_temp.contested('+12025550101'), 'another password from the same client is no contest');
do $$ begin perform pg_temp.store('+12025550101', 'mended', 'office'); end $$;
select is((select registered_from from "user".account), 'office', 'the client is the latest');
select ok(not pg_temp.contested('+12025550101'), 'the same password from another client is no contest');
do $$ begin perform pg_temp.store('+12025550101', 'theirs', 'thief'); end $$;
select ok(pg_temp.contested('+12025550101'), 'another password from another client is one');
do $$ begin perform pg_temp.store('+12025550101', 'theirs', 'thief'); end $$;
select ok(pg_temp.contested('+12025550101'), 'whoever registers again does not end it');
do $$ begin perform pg_temp.store('+12025550101', 'theirs', 'office'); end $$;
select ok(pg_temp.contested('+12025550101'), 'with whatever password');

-- The other order, and a hash under another salt
do $$ begin perform pg_temp.store('+12025550102', 'theirs', 'thief'), pg_temp.store('+12025550102', 'mine', 'home'); end $$;
select ok(pg_temp.contested('+12025550102'), 'it is a contest in the other order too');
do $$ begin
  perform pg_temp.store('+12025550103', 'mine', 'home');
  perform private.store_registration(private.new_id(), '+12025550103', null, private.hash_password(test.prehash('mine')), 'office');
end $$;
select ok(pg_temp.contested('+12025550103'), 'a hash that cannot be told to be the same password counts as another');

-- After 24 hours
update "user".account set created_at = clock_timestamp() - interval '24 hours' + interval '1 second' where phone = '+12025550101';
do $$ begin perform pg_temp.store('+12025550101', 'mine', 'home'); end $$;
select ok(pg_temp.contested('+12025550101'), 'a second before its registrations end a contest lasts');
update "user".account set created_at = clock_timestamp() - interval '24 hours' where phone = '+12025550101';
do $$ begin perform pg_temp.store('+12025550101', 'mine', 'new home'); end $$;
select ok(not pg_temp.contested('+12025550101'), 'a registration that has ended contests nothing');
do $$ begin
  perform pg_temp.store('+12025550104', 'theirs', 'thief');
  update "user".account set created_at = clock_timestamp() - interval '24 hours' where phone = '+12025550104';
  perform pg_temp.store('+12025550104', 'mine', 'home');
end $$;
select ok(not pg_temp.contested('+12025550104'), 'whoever made it');

-- Verified
do $$ begin perform test.make_account('+12025550105'); end $$;
create temp table verified on commit drop as select * from "user".account where phone = '+12025550105';
select lives_ok($$select pg_temp.store('+12025550105', 'theirs', 'thief')$$, 'registering a verified phone is no error');
select results_eq('select * from "user".account where phone = ''+12025550105''', 'select * from verified', 'and changes nothing');
select is((select count(*)::integer from "user".account where phone = '+12025550105'), 1, 'nor does it make a second account');
select throws_ok($$select pg_temp.store('12025550106', 'mine', 'home')$$, '23514', null, 'a phone is stored as E.164 only');
select throws_ok($$select private.store_registration(private.new_id(), '+12025550106', null, 'plain', 'home')$$, '23514', null, 'and a password as bcrypt only');

select * from finish();
rollback;
