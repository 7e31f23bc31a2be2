begin;
select plan(18);
select test.clean_slate();
create function pg_temp.hash(password text)
returns text language sql as $$ select private.hash_registration_password('+12025550101', test.prehash(password)) $$;
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
  (select row(id, '+12025550101', 'mine@example.org', pg_temp.hash('mine'), false)::text from first),
  'a registration is stored under its id and is not contested');
select ok((select registered_at between now() and clock_timestamp() from private.pending_registration),
  'registered_at is the current time');
select pg_temp.store('mine');
select is(pg_temp.contested(), array[false, false], 'a second registration with the same password is not contested');
select pg_temp.store('theirs');
select is(pg_temp.contested(), array[true, true, true],
  'a registration with another password makes all registrations of the phone contested');
select pg_temp.store('mine');
select is(pg_temp.contested(), array_fill(true, array[4]), 'a later registration is contested whatever its password');

-- A flood of registrations displaces the first ones but does not end the contest
create temp table flood on commit drop as select n, pg_temp.store('theirs') as id from generate_series(1, 6) n;
select is((select array_agg(user_id order by registered_at) from private.pending_registration),
  (select array_agg(id order by n) from flood where n > 1),
  'the latest five registrations of a phone are stored');
select is(pg_temp.contested(), array_fill(true, array[5]),
  'the latest five registrations stay contested after the other password is displaced');

update private.pending_registration set registered_at = now();
create temp table tied on commit drop as select user_id from private.pending_registration;
select pg_temp.store('theirs');
select is((select array_agg(t.user_id order by t.user_id) from tied t join private.pending_registration using (user_id)),
  (select array_agg(user_id order by user_id) from (select user_id from tied order by user_id desc limit 4) t),
  'of registrations of one moment those of the greatest ids stay');

-- A clock that is set back, and expired registrations
select test.clean_slate();
select pg_temp.store('theirs') from generate_series(1, 5);
update private.pending_registration set registered_at = clock_timestamp() + interval '1 minute';
select pg_temp.store('mine');
select is(pg_temp.contested(), array_fill(true, array[5]), 'a registration is contested although the clock was set back');
select test.clean_slate(), pg_temp.store('mine');
update private.pending_registration set registered_at = clock_timestamp() - interval '24 hours';
select pg_temp.store('theirs');
select is(pg_temp.contested(), array[true, true], 'an expired registration contests one with another password');

select test.clean_slate(), pg_temp.store('mine'), pg_temp.store('theirs');
update private.pending_registration set is_contested = false;
select pg_temp.store('mine');
select is(pg_temp.contested(), array_fill(true, array[3]), 'one of several registrations with another password is enough');

-- Another phone, a registered phone, and invalid values
select lives_ok($$select test.make_registration('+12025550102', 'theirs')$$, 'another phone can be registered');
select is((select is_contested from private.pending_registration where phone = '+12025550102'), false,
  'registrations of one phone do not contest those of another');
select test.make_account('+12025550103');
select lives_ok($$select test.make_registration('+12025550103', 'theirs')$$,
  'registering a phone that has an account is no error');
select is((select count(*)::integer from private.pending_registration where phone = '+12025550103'), 0,
  'registering a phone that has an account stores nothing');
select isnt((select xmax::text from "user".account), '0',
  'registering a phone that has an account locks its row, so that the commit takes as long as that of a new row');
select throws_ok($$select private.store_registration(private.new_id(), '12025550106', null, pg_temp.hash('mine'))$$, '23514', null,
  'a phone that is not E.164 is refused');
select throws_ok($$select private.store_registration(private.new_id(), '+12025550106', null, 'plain')$$, '23514', null,
  'a password that is not a bcrypt hash is refused');

select * from finish();
rollback;
