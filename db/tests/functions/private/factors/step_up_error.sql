begin;
select plan(9);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table own on commit drop as select session_id from actor, test.open_session(actor.id);
create function pg_temp.details() returns jsonb language sql
as $$ select (private.step_up_error(session_id, actor.id)).details from own, actor $$;
select is(pg_temp.details(), null, 'a session that has just signed in may go on');
update "user".session set authenticated_at = now() - interval '601 seconds';
select is(pg_temp.details(), '{"reason": "step_up_required", "max_age": 600}', 'after ten minutes it must step up');
select test.set_setting('STEP_UP_MAX_AGE_SECONDS', '700');
select is(pg_temp.details(), null, 'the setting says how long it takes');
update "user".session set authenticated_at = null;
select is(pg_temp.details() ->> 'reason', 'step_up_required', 'a session that nobody signed in for must step up');
update "user".session set authenticated_at = now();
select test.make_factor(id) from actor;
select is(pg_temp.details(), '{"reason": "step_up_required", "max_age": 700, "acr_values": "aal2", "factors": ["totp"]}', 'with a factor one proof does not do, and the answer names its kind');
select test.set_setting('SECOND_FACTOR', '"off"');
select is(pg_temp.details(), null, 'unless nobody is asked for it');
select test.set_setting('SECOND_FACTOR', '"optional"');
select test.step_up(session_id) from own;
select is(pg_temp.details(), null, 'both do');
update "user".session set authenticated_at = now() - interval '701 seconds';
select is(pg_temp.details() ->> 'acr_values', 'aal2', 'but not for ever');
select is((private.step_up_error(session_id, gen_random_uuid())).details ->> 'reason', 'step_up_required', 'another user''s session proves nothing') from own;

select * from finish();
rollback;
