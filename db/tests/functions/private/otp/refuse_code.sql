begin;
select plan(3);
select test.clean_slate();
select test.send_code('+12025550101', 'LOGIN'), private.lock_verification_state('PHONE', '+12025550101');
select is(private.refuse_code(test.attempt('PHONE', '+12025550101', 'LOGIN')), private.error('INVALID_OTP'), 'the answer is that to a wrong code');
select is((test.otp('+12025550101', 'LOGIN')).attempts, 1, 'the code is counted against the current one-time password');
select is((select row(g.guesses, s.failures)::text from private.guess_count g, private.verification_state s), '(1,1)', 'and as a guess and a failure');
select * from finish();
rollback;
