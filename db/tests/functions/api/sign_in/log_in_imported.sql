begin;
select plan(11);
select test.clean_slate();
select test.import_account('+12025550101', 'its parameters');
create function pg_temp.log_in(phone text, password text, foreign_prehash text default null) returns text language sql
as $$ select concat_ws(' ', (error).code, (error).details ->> 'parameters', (error).details ->> 'reason', 'as ' || user_type)
  from api.log_in(phone, test.prehash(password), '192.0.2.1', 'test', null, null, foreign_prehash) $$;

select is(pg_temp.log_in('+12025550101', 'correct horse'), 'FOREIGN_PREHASH_REQUIRED its parameters', 'for an imported hash the foreign pre-hash is requested');
select is(pg_temp.log_in('+12025550109', 'correct horse'), 'FOREIGN_PREHASH_REQUIRED its parameters', 'the foreign pre-hash is requested for an unknown phone, too');
select is((select count(*)::integer from platform.rate_limit), 0, 'a request for the pre-hash counts nothing');
select is(pg_temp.log_in('+12025550109', 'correct horse', test.foreign_prehash('correct horse')), 'INVALID_REQUEST login_refused',
  'an unknown phone is refused');
select is(pg_temp.log_in('+12025550101', 'incorrect', test.foreign_prehash('incorrect')), 'INVALID_REQUEST login_refused', 'a wrong password is refused');
select is(pg_temp.log_in('+12025550101', 'the foreign hash of correct horse', test.foreign_prehash('the foreign hash of correct horse')),
  'INVALID_REQUEST login_refused', 'the foreign hash itself is refused: a thief of the other system''s hashes cannot log in');
select is(pg_temp.log_in('+12025550101', 'correct horse', test.prehash('correct horse')), 'INVALID_REQUEST login_refused',
  'the native pre-hash is refused in place of the foreign one');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'), 3, 'each refused login counts as one failure');
select is(pg_temp.log_in('+12025550101', 'correct horse', test.foreign_prehash('correct horse')), 'as user', 'the right password logs in');
select is((select a.foreign_parameters from "user".account a), null, 'after a login the password is stored as a native hash');
select is(pg_temp.log_in('+12025550101', 'correct horse'), 'as user', 'the next login takes one call');

select * from finish();
rollback;
