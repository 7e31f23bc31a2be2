begin;
select plan(3);
select test.clean_slate();
select test.insert_hits(key, now()) from unnest(array[
  'LOGINS_PER_PHONE:+12025550101', 'OTP_VERIFY_LIMIT:+12025550101 LOGIN 192.0.2.1', 'LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 2001:db8::',
  'LOGINS_PER_PHONE:+120255501011', 'LOGINS_PER_PHONE:+1202555010', 'LOGIN_FAILURES_PER_PHONE_AND_IP:+120255501011 192.0.2.1',
  'OTP_SEND_PER_IP:192.0.2.1'
]) key;
select private.erase_rate_limits('+12025550101');
select is((select array_agg(key order by key) from platform.rate_limit), array[
  'LOGINS_PER_PHONE:+1202555010', 'LOGINS_PER_PHONE:+120255501011', 'LOGIN_FAILURES_PER_PHONE_AND_IP:+120255501011 192.0.2.1',
  'OTP_SEND_PER_IP:192.0.2.1'
], 'what limits counted for a phone is deleted, alone and with a client, and for no other');
select test.insert_hits('EXPORTS_PER_USER:' || x, now()), private.erase_rate_limits(x) from (values (gen_random_uuid()::text)) u (x);
select is((select count(*)::integer from platform.rate_limit), 4, 'what limits counted for a user is deleted');
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:ada@gmail.com', now()), private.erase_rate_limits('a.da+x@gmail.com');
select is((select count(*)::integer from platform.rate_limit where key like '%ada%'), 0, 'what limits counted for a mailbox is deleted for each spelling of it');
select * from finish();
rollback;
