begin;
select plan(9);
do $$ begin perform test.clean_slate(); end $$;
create temp table account on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
create function pg_temp.policies(client text, account_id uuid) returns text[] language sql
as $$ select array_agg(r.policy) from unnest(private.login_failure_rules('+12025550101', client, account_id)) r $$;
do $$ begin perform private.remember_client(id, 'home'), private.remember_client(other, 'elsewhere') from account; end $$;

select is((select array_agg(r.key) from account, unnest(private.login_failure_rules('+12025550101', 'bot', id)) r), array[
  'LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 bot', 'LOGIN_FAILURES_PER_PHONE:+12025550101', 'LOGIN_FAILURES_PER_IP:bot'],
  'a stranger''s failure counts for phone and client, for the phone, and for the client');
select is((select array_agg(r.key) from account, unnest(private.login_failure_rules('+12025550101', 'home', id)) r),
  array['LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 home'], 'a known client''s counts for phone and client alone');
select is((select array_length(pg_temp.policies('elsewhere', id), 1) from account), 3, 'another account''s client is a stranger');
select is(array_length(pg_temp.policies('home', null), 1), 3, 'where there is no account every client is');
select is(pg_temp.policies('home', null), (select pg_temp.policies('bot', id) from account), 'and bound by the same limits as a stranger to an account');
update private.known_client set logged_in_at = now() - interval '30 days' + interval '1 second';
select is((select array_length(pg_temp.policies('home', id), 1) from account), 1, 'a client is known for 30 days');
update private.known_client set logged_in_at = now() - interval '30 days';
select is((select array_length(pg_temp.policies('home', id), 1) from account), 3, 'and no longer');
do $$ begin perform test.set_setting('LOGIN_FAILURES_PER_PHONE', '"off"'); end $$;
select is((select pg_temp.policies('bot', id) from account), array['LOGIN_FAILURES_PER_PHONE_AND_IP', null, 'LOGIN_FAILURES_PER_IP'],
  'a limit turned off is no rule');
select is((select row(r.requests, r.period)::text from unnest(private.login_failure_rules('+12025550101', 'bot', null)) r where r.policy = 'LOGIN_FAILURES_PER_PHONE_AND_IP'),
  '(10,00:15:00)', 'the numbers are the settings''');

select * from finish();
rollback;
