begin;
select plan(3);
do $$ begin
  perform test.clean_slate();
  insert into platform.rate_limit (key) values
    ('LOGIN_FAILURES_PER_PHONE:+12025550101'), ('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1'),
    ('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.2'), ('LOGIN_FAILURES_PER_IP:192.0.2.1'),
    ('LOGIN_FAILURES_PER_PHONE:+120255501011'), ('LOGIN_FAILURES_PER_PHONE_AND_IP:+120255501011 192.0.2.1'),
    ('OTP_SEND_PER_IDENTIFIER:+12025550101'), ('LOGINS_PER_PHONE:+12025550101');
  perform private.clear_login_limits('+12025550101');
end $$;
select is((select count(*)::integer from platform.rate_limit where key ~ '^LOGIN(S|_FAILURES)_PER_PHONE(_AND_IP)?:[+]12025550101( |$)'), 0,
  'a phone''s logins and failed logins are forgotten, by every client');
select is((select count(*)::integer from platform.rate_limit where key ~ '[+]120255501011'), 2, 'not those of a phone that begins alike');
select is((select array_agg(key order by key) from platform.rate_limit where key !~ '[+]120255501011'),
  array['LOGIN_FAILURES_PER_IP:192.0.2.1', 'OTP_SEND_PER_IDENTIFIER:+12025550101'], 'nor the client''s, nor other limits of the phone');

select * from finish();
rollback;
