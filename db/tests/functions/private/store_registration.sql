begin;
select plan(16);
select test.clean_slate();
create function pg_temp.hash(password text) returns text language sql as $$ select private.hash_registration_password('+12025550101', test.prehash(password)) $$;
create function pg_temp.store(password text) returns uuid language plpgsql
as $$
declare
  v_user_id uuid := private.new_id();
begin
  perform private.store_registration(v_user_id, '+12025550101', password || '@example.org', pg_temp.hash(password));
  return v_user_id;
end
$$;
create function pg_temp.contested() returns boolean[] language sql
as $$ select array_agg(r.is_contested order by r.registered_at) from private.pending_registration r $$;

create temp table first on commit drop as select pg_temp.store('mine') as id;
select is((select row(user_id, phone, email, password_hash, is_contested)::text from private.pending_registration),
  (select row(id, '+12025550101', 'mine@example.org', pg_temp.hash('mine'), false)::text from first), 'a registration waits under its id, not contested');
select ok((select registered_at between now() and clock_timestamp() from private.pending_registration), 'and is dated');
select pg_temp.store('mine');
select is(pg_temp.contested(), array[false, false], 'the same password again is no contest');
select pg_temp.store('theirs');
select is(pg_temp.contested(), array[true, true, true], 'another password is one, for all of them');
select pg_temp.store('mine');
select is(pg_temp.contested(), array_fill(true, array[4]), 'that lasts for all that come after it');

-- Nobody pushes another's registration out and is alone
create temp table flood on commit drop as select n, pg_temp.store('theirs') as id from generate_series(1, 6) n;
select is((select array_agg(user_id order by registered_at) from private.pending_registration), (select array_agg(id order by n) from flood where n > 1),
  'the latest five of a phone are kept');
select is(pg_temp.contested(), array_fill(true, array[5]), 'and remember that there was another password');

-- The clock, and the day after
select test.clean_slate();
select pg_temp.store('theirs') from generate_series(1, 5);
update private.pending_registration set registered_at = clock_timestamp() + interval '1 second';
select pg_temp.store('mine');
select is(pg_temp.contested(), array_fill(true, array[5]), 'a clock that steps back makes nobody the only one');
select test.clean_slate(), pg_temp.store('mine');
update private.pending_registration set registered_at = clock_timestamp() - interval '24 hours';
select pg_temp.store('theirs');
select is(pg_temp.contested(), array[true, true], 'a registration that can no longer be confirmed still contests another password');

-- Another phone, a registered one, and bad values
select lives_ok($$select test.make_registration('+12025550102', 'theirs')$$, 'another phone has its own registrations');
select is((select is_contested from private.pending_registration where phone = '+12025550102'), false, 'which contest none');
select test.make_account('+12025550103');
select lives_ok($$select test.make_registration('+12025550103', 'theirs')$$, 'registering a registered phone is no error');
select is((select count(*)::integer from private.pending_registration where phone = '+12025550103'), 0, 'and stores nothing');
select isnt((select xmax::text from "user".account), '0', 'but writes a lock, as storing would write a row: a commit takes the same time');
select throws_ok($$select private.store_registration(private.new_id(), '12025550106', null, pg_temp.hash('mine'))$$, '23514', null, 'a phone is stored as E.164 only');
select throws_ok($$select private.store_registration(private.new_id(), '+12025550106', null, 'plain')$$, '23514', null, 'and a password as bcrypt only');

select * from finish();
rollback;
