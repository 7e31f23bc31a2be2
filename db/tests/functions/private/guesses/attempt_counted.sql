begin;
select plan(1);
select is(private.attempt_counted(row('PHONE', '+12025550101', 'LOGIN', 3, now(), '00000000-0000-7000-8000-000000000001')::private.guess_count),
  row('PHONE', '+12025550101', 'LOGIN', null, null, null, '00000000-0000-7000-8000-000000000001')::private.code_attempt,
  'identifier, purpose and account are those that were guessed at');
select * from finish();
rollback;
