begin;
select plan(5);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table own on commit drop as select session_id, user_id from actor, test.open_session(actor.id);
create function pg_temp.begin(rp_id text default 'example.com') returns api.passkey_options_answer language sql
as $$ select api.begin_passkey_step_up(session_id, user_id, rp_id) from own $$;
select is(((pg_temp.begin(null)).error).details ->> 'reason', 'not_enabled', 'without a domain there are no passkeys');
select is(((pg_temp.begin()).error).details ->> 'reason', 'factor_not_found', 'a user without passkeys has none to ask for');
select test.make_passkey(id, '\x01') from actor;
create temp table answer on commit drop as select c.* from pg_temp.begin() c;
select is(challenge_id, (select id from private.factor_challenge where purpose = 'step_up'), 'the challenge is stored') from answer;
select is(options #>> '{allowCredentials,0,id}', 'AQ', 'the user''s passkeys may answer') from answer;
update "user".session set revoked_at = now();
select is(((pg_temp.begin()).error).code, 'SESSION_REVOKED', 'a dead session proves nothing');
select * from finish();
rollback;
