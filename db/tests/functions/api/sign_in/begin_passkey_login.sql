begin;
select plan(7);
select test.clean_slate();
select test.set_setting('PASSKEY_CHALLENGES_PER_IP', '"1/60"');
create function pg_temp.begin(client text, rp_id text default 'example.com') returns api.passkey_options_answer language sql
as $$ select api.begin_passkey_login(client, rp_id) $$;
select is(((pg_temp.begin('192.0.2.1', null)).error).details ->> 'reason', 'not_enabled', 'without a domain there are no passkeys');
create temp table answer on commit drop as select c.* from pg_temp.begin('192.0.2.1') c;
select is((error).code, null, 'anybody may begin') from answer;
select is(challenge_id, (select id from private.factor_challenge where purpose = 'login_passkey' and user_id is null), 'the challenge is stored') from answer;
select is(options -> 'allowCredentials', '[]', 'and names nobody') from answer;
select is(((pg_temp.begin('192.0.2.1')).error).code, 'RATE_LIMIT_EXCEEDED', 'a client''s limit holds');
select is((select count(*)::integer from private.factor_challenge), 1, 'beyond it nothing is stored');
select is(((pg_temp.begin('127.0.0.1')).error).code || ((pg_temp.begin('127.0.0.1')).error).code, null, 'a loopback address has none');
select * from finish();
rollback;
