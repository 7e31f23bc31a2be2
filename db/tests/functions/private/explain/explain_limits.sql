begin;
select plan(8);
select test.clean_slate();
create function pg_temp.events() returns setof platform.delivery_event language sql
as $$ select e.* from private.explain_limits('+12025550101') e order by e.details $$;

select is_empty('select pg_temp.events()', 'without a request nothing is shown');
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now() - interval '20 minutes', now());
select is_empty('select pg_temp.events()', 'a limit that has room is not shown');
delete from platform.rate_limit;
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now() - interval '30 minutes', now() - interval '20 minutes', now());
select results_eq('select e.what, e.details from pg_temp.events() e',
  $$select 'No more codes are sent now: the limit of codes is reached.',
      'OTP_SEND_PER_IDENTIFIER:+12025550101: 3 requests in 3600 seconds, refused until ' || private.written_time(now() + interval '30 minutes')$$,
  'a limit that is spent is shown with its rule and its end');
delete from platform.rate_limit;
select test.insert_hits(key, now(), now(), now(), now(), now()) from (values
  ('OTP_VERIFY_LIMIT:+12025550101 LOGIN 203.0.113.1'), ('OTP_VERIFY_LIMIT:+12025550101 SIGNUP 203.0.113.2'),
  ('OTP_VERIFY_LIMIT:+120255501011 LOGIN 203.0.113.3'), ('OTP_VERIFY_LIMIT:+12025550100 LOGIN 203.0.113.4')
) k (key);
select results_eq($$select e.what, split_part(e.details, ': 5 req', 1) from pg_temp.events() e$$,
  $$values ('Codes from one client are refused now: its limit of tries is reached.', 'OTP_VERIFY_LIMIT:+12025550101 LOGIN 203.0.113.1'),
    ('Codes from one client are refused now: its limit of tries is reached.', 'OTP_VERIFY_LIMIT:+12025550101 SIGNUP 203.0.113.2')$$,
  'each client whose tries are spent is shown, of this phone alone');
select test.set_setting('OTP_VERIFY_LIMIT', '"6/900"');
select is_empty('select pg_temp.events()', 'the limit in force counts');
select test.set_setting('OTP_VERIFY_LIMIT', '"5/900"'), test.age_rate_limits('900 seconds');
select is_empty('select pg_temp.events()', 'a limit that has room again is not shown');

delete from platform.rate_limit;
select test.insert_hits('OTP_VERIFY_LIMIT:+12025550101 LOGIN ' || n, now(), now(), now(), now(), now()) from generate_series(1, 150) n;
select is((select count(*)::integer from pg_temp.events()), 100, 'a hundred clients are looked at, however many there are');

select test.insert_hits('OTP_SEND_PER_IDENTIFIER:ada@gmail.com', now(), now(), now());
select is((select count(*)::integer from private.explain_limits('a.da@gmail.com')), 1, 'an email address is shown the limits of its mailbox');

select * from finish();
rollback;
