begin;
select plan(5);
select test.clean_slate();
insert into platform.rate_limit (key) values
  ('LOGINS_PER_PHONE:+12025550101'), ('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1'), ('LOGINS_PER_PHONE:+120255501011'),
  ('LOGIN_FAILURES_PER_PHONE_AND_IP:+120255501011 192.0.2.1'), ('LOGIN_FAILURES_PER_IP:192.0.2.1'), ('NO_SUCH_LIMIT:+12025550101');
select set_eq($$select key from private.rate_limits_of('+12025550101')$$,
  array['LOGINS_PER_PHONE:+12025550101', 'LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1'],
  'a phone''s limits are its own, alone and with a client, and no other phone''s');
select set_eq($$select key from private.rate_limits_of('192.0.2.1')$$, array['LOGIN_FAILURES_PER_IP:192.0.2.1'], 'a client has limits too');
insert into platform.rate_limit (key) select 'LOGIN_FAILURES_PER_PHONE_AND_IP:+12025560000 192.0.2.' || n from generate_series(1, 5000) n;
select is((select count(*)::integer from private.rate_limits_of('+12025560000')), 100, 'a flood from many clients is cut off');

analyze platform.rate_limit;
set local enable_seqscan = off;
create function pg_temp.rows_read() returns bigint language sql volatile
as $$ select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'platform.rate_limit'::regclass $$;
create temp table before on commit drop as select pg_temp.rows_read() as rows_read;
select count(*) from private.rate_limits_of('+12025550101');
select cmp_ok(pg_temp.rows_read() - (select rows_read from before), '<', 10::bigint, 'other phones'' limits are not read');

insert into platform.rate_limit (key) values ('OTP_SEND_PER_IDENTIFIER:ada@gmail.com');
select is((select array_agg(key) from private.rate_limits_of('a.da+x@googlemail.com')), array['OTP_SEND_PER_IDENTIFIER:ada@gmail.com'], 'an email address has the limits of its mailbox');

select * from finish();
rollback;
