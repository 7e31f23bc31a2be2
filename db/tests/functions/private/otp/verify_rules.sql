begin;
select plan(4);
select test.clean_slate();
create function pg_temp.keys(identifier_type text, identifier text) returns text[] language sql
as $$ select array_agg(r.key) from unnest(private.verify_rules(test.attempt(identifier_type, identifier, 'LOGIN', client => 'home'))) r $$;
select is(pg_temp.keys('PHONE', '+12025550101'), array['OTP_VERIFY_PER_IP:home', 'OTP_VERIFY_LIMIT:+12025550101 LOGIN home'],
  'an attempt counts for the client, and for the phone, purpose and client together');
select is(pg_temp.keys('EMAIL', 'a.da+x@gmail.com'), array['OTP_VERIFY_PER_IP:home', 'OTP_VERIFY_LIMIT:ada@gmail.com LOGIN home'],
  'of an email address its mailbox counts');
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
select is(pg_temp.keys('PHONE', '+12025550101'), null, 'a test number has no limit');
select is(cardinality(pg_temp.keys('PHONE', '+12025550102')), 2, 'another number still has');
select * from finish();
rollback;
