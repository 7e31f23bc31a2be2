begin;
select plan(11);
select test.clean_slate();
select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US');
create temp table first on commit drop as select * from platform.otp_transaction;
select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'CA');
create temp table second on commit drop as select o.* from platform.otp_transaction o where o.id not in (select id from first);

select is(test.count('all', 'hour', now()), '2 0', 'both sends are counted');
select private.give_back_send(id) from first;
select is(test.count('country:US', 'hour', now()) || ', ' || test.count('country:CA', 'hour', now()), '0 0, 1 0',
  'the fraud rules no longer count the send that was given back, and still count the other one');
select is((select hits from platform.rate_limit where key = 'OTP_SEND_PER_IDENTIFIER:+12025550101'), (select array[counted_at] from second),
  'give_back_send removes the send''s hit from the phone''s limit and no other hit');
select is((select o.counted_at from platform.otp_transaction o join first using (id)), null,
  'a send that was given back has no counted_at');
select is((select cardinality(hits) from platform.rate_limit where key = 'OTP_SEND_PER_IP:192.0.2.1'), 2,
  'give_back_send removes no hit from the client''s limit');
select private.give_back_send(id) from first;
select is(test.count('all', 'hour', now()), '1 0', 'the fraud rules no longer count the send that was given back, and it only once');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'a second call of give_back_send gives nothing back');
select isnt((select o.counted_at from platform.otp_transaction o join second using (id)), null,
  'a second call of give_back_send does not change another send');
select private.give_back_send(id) from second;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'every send can be given back');
create temp table repeated on commit drop as select s.error from generate_series(1, 4) n,
  api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.' || n + 10, test.code_key(), 'US') s;
select is((select array_agg(coalesce((error).code, 'ok')) from repeated), array['ok', 'ok', 'ok', 'RATE_LIMIT_EXCEEDED'],
  'after sends were given back the limit allows its full number again');
select lives_ok('select private.give_back_send(gen_random_uuid())', 'giving back an unknown one-time password is no error');

select * from finish();
rollback;
