begin;
select plan(8);
select test.clean_slate();
select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key());
create temp table first on commit drop as select * from platform.otp_transaction;
select api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key());
create temp table second on commit drop as select o.* from platform.otp_transaction o where o.id not in (select id from first);

select private.give_back_send(id) from first;
select is((select hits from platform.rate_limit where key = 'OTP_SEND_PER_IDENTIFIER:+12025550101'), (select array[counted_at] from second),
  'a send is given back to its phone, and no other send');
select is((select o.counted_at from platform.otp_transaction o join first using (id)), null, 'and its record says that it counts no more');
select is((select cardinality(hits) from platform.rate_limit where key = 'OTP_SEND_PER_IP:192.0.2.1'), 2, 'the client gets nothing back');
select private.give_back_send(id) from first;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'a second call gives nothing back');
select isnt((select o.counted_at from platform.otp_transaction o join second using (id)), null, 'nor touches another send');
select private.give_back_send(id) from second;
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'every send can be given back');
create temp table again on commit drop as select s.error from generate_series(1, 4) n,
  api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.' || n + 10, test.code_key()) s;
select is((select array_agg(coalesce((error).code, 'ok')) from again), array['ok', 'ok', 'ok', 'RATE_LIMIT_EXCEEDED'],
  'what was given back can be sent, and no more');
select lives_ok('select private.give_back_send(gen_random_uuid())', 'one that is gone gives nothing back');

select * from finish();
rollback;
