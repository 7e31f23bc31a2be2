begin;
select plan(5);
select test.clean_slate();
select test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now());
select lives_ok('update platform.otp_transaction set attempts = 3, verified_at = now()',
  'attempts can grow and a code can be marked as used');
select throws_ok('update platform.otp_transaction set attempts = 2', '23514', 'attempts and verifications only ever move forward',
  'attempts cannot decrease');
select throws_ok('update platform.otp_transaction set verified_at = null', '23514', null, 'a used code cannot become unused');
select throws_ok($$update platform.otp_transaction set verified_at = now() - interval '1 hour'$$, '23514', null,
  'the time of use cannot be moved to an earlier time');
select lives_ok('update platform.otp_transaction set attempts = 4', 'attempts of a used one-time password can still grow');
select * from finish();
rollback;
