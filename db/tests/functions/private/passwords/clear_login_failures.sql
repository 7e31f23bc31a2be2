begin;
select plan(4);
select test.clean_slate();
insert into platform.rate_limit (key) values
  ('LOGIN_FAILURES_PER_PHONE:+12025550101'), ('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1'),
  ('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.2'), ('LOGIN_FAILURES_PER_IP:192.0.2.1'),
  ('LOGIN_FAILURES_PER_PHONE:+120255501011'), ('LOGIN_FAILURES_PER_PHONE_AND_IP:+120255501011 192.0.2.1'),
  ('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550100 192.0.2.1'),
  ('OTP_SEND_PER_IDENTIFIER:+12025550101'), ('LOGINS_PER_PHONE:+12025550101');
select private.clear_login_failures('+12025550101');
select is((select count(*)::integer from platform.rate_limit where key ~ '^LOGIN_FAILURES_PER_PHONE(_AND_IP)?:[+]12025550101( |$)'), 0,
  'a phone''s failed logins are deleted, whatever their clients');
select is((select count(*)::integer from platform.rate_limit where key ~ '[+]120255501011'), 2,
  'failed logins of a phone that starts with the same digits stay');
select is((select array_agg(key order by key) from platform.rate_limit where key !~ '[+]120255501011'),
  array['LOGINS_PER_PHONE:+12025550101', 'LOGIN_FAILURES_PER_IP:192.0.2.1', 'LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550100 192.0.2.1', 'OTP_SEND_PER_IDENTIFIER:+12025550101'],
  'failures per client, of another phone, and other limits of the phone stay');

-- A generic plan, as PostgreSQL before 18 makes it for the body of a SQL function: it must use the index too.
set local plan_cache_mode = force_generic_plan;
set local enable_seqscan = off;
insert into platform.rate_limit (key) select 'LOGIN_FAILURES_PER_PHONE_AND_IP:+12025560000 192.0.2.' || n from generate_series(1, 1000) n;
analyze platform.rate_limit;
create function pg_temp.rows_read() returns bigint language sql volatile
as $$ select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'platform.rate_limit'::regclass $$;
create temp table before on commit drop as select pg_temp.rows_read() as rows_read;
select private.clear_login_failures('+12025550101');
select cmp_ok(pg_temp.rows_read() - (select rows_read from before), '<', 100::bigint,
  'the call does not read other phones'' limits, of which there may be millions');

select * from finish();
rollback;
