begin;
select plan(6);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table own on commit drop as select session_id, user_id from actor, test.open_session(actor.id);

create function pg_temp.list() returns api.factor_list_answer language sql as $$ select api.list_factors(session_id, user_id) from own $$;
select is((pg_temp.list()).factors, '{}', 'an account has none at first');
select test.make_factor(id, false) from actor;
select is(array(select confirmed from unnest((pg_temp.list()).factors)), array[false], 'one that waits for its first code is listed');
update "user".factor set confirmed_at = now();
select is(((pg_temp.list()).error).details ->> 'reason', 'step_up_required', 'with a factor the list needs a proof of it');
select test.step_up(session_id) from own;
select is(array(select kind || ' ' || label || ' ' || confirmed from unnest((pg_temp.list()).factors)), array['totp phone true'], 'then it is shown');
update "user".factor set confirmed_at = null, created_at = now() - interval '61 minutes';
select is((pg_temp.list()).factors, '{}', 'one that nobody confirmed within an hour is not');
select is((select (l.error).code from own, api.list_factors(session_id, gen_random_uuid()) l), 'SESSION_NOT_FOUND', 'the session must be the user''s');

select * from finish();
rollback;
