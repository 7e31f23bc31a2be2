begin;
select plan(3);
do $$ begin
  perform test.clean_slate();
  perform test.send_code('+12025550101', 'SIGNUP'), test.send_code('+12025550102', 'SIGNUP');
  perform private.count_attempt(o.id) from platform.otp_transaction o, generate_series(1, 2) where o.identifier = '+12025550101';
end $$;
select is((test.otp('+12025550101', 'SIGNUP')).attempts, 2, 'a wrong guess costs one attempt');
select is((test.otp('+12025550102', 'SIGNUP')).attempts, 0, 'of that one-time password alone');
select lives_ok('select private.count_attempt(null)', 'where there is none there is nothing to count');

select * from finish();
rollback;
