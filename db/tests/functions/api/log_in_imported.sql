begin;
select plan(11);
select test.clean_slate();
select test.import_account('+12025550101', 'its parameters');
create function pg_temp.log_in(phone text, password text, foreign_prehash text default null) returns text language sql
as $$ select concat_ws(' ', (error).code, (error).details ->> 'parameters', (error).details ->> 'reason', 'as ' || user_type)
  from api.log_in(phone, test.prehash(password), '192.0.2.1', 'test', null, null, foreign_prehash) $$;

select is(pg_temp.log_in('+12025550101', 'correct horse'), 'FOREIGN_PREHASH_REQUIRED its parameters', 'an imported hash is asked for');
select is(pg_temp.log_in('+12025550109', 'correct horse'), 'FOREIGN_PREHASH_REQUIRED its parameters', 'for an unknown phone, too');
select is((select count(*)::integer from platform.rate_limit), 0, 'and nothing is counted');
select is(pg_temp.log_in('+12025550109', 'correct horse', test.foreign_prehash('correct horse')), 'INVALID_REQUEST login_refused',
  'an unknown phone is refused');
select is(pg_temp.log_in('+12025550101', 'incorrect', test.foreign_prehash('incorrect')), 'INVALID_REQUEST login_refused', 'as is a wrong password');
select is(pg_temp.log_in('+12025550101', 'the foreign hash of correct horse', test.foreign_prehash('the foreign hash of correct horse')),
  'INVALID_REQUEST login_refused', 'and the foreign hash itself: a thief of the other system''s hashes has no password');
select is(pg_temp.log_in('+12025550101', 'correct horse', test.prehash('correct horse')), 'INVALID_REQUEST login_refused',
  'the native pre-hash is not the foreign one');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'), 3, 'each counts as a failure once');
select is(pg_temp.log_in('+12025550101', 'correct horse', test.foreign_prehash('correct horse')), 'as user', 'the right password logs in');
select is((select a.foreign_parameters from "user".account a), null, 'and is stored in the native way');
select is(pg_temp.log_in('+12025550101', 'correct horse'), 'as user', 'so the next login is one call');

select * from finish();
rollback;
