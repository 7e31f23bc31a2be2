begin;
select plan(8);
select test.clean_slate();
insert into private.guess_count values ('PHONE', '+12025550101', 'LOGIN', 2, now());
select lives_ok('update private.guess_count set guesses = 3', 'guesses can grow');
select throws_ok('update private.guess_count set guesses = 2', '23514', 'guesses only ever move forward', 'guesses cannot decrease');
select throws_ok($$update private.guess_count set guesses = 2, first_guess_at = first_guess_at - interval '1 second'$$, '23514', null,
  'nor for an earlier first guess');
select lives_ok($$update private.guess_count set guesses = 1, first_guess_at = first_guess_at + interval '1 second'$$,
  'a later first guess restarts the count');

-- Constraints of the table
select throws_ok($$update private.guess_count set purpose = 'TEST'$$, '23514', null, 'nobody guesses at a code of another purpose');
select throws_ok($$update private.guess_count set identifier_type = 'FAX'$$, '23514', null, 'nor at another type of identifier');
select throws_ok('update private.guess_count set account_id = gen_random_uuid()', '23514', null, 'only guesses at codes of a change of phone have an account');
select throws_ok($$insert into private.guess_count values ('PHONE', '+12025550102', 'LOGIN', 0, now())$$, '23514', null, 'no row without a guess is stored');
select * from finish();
rollback;
