begin;
select plan(7);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table own on commit drop as select session_id, user_id from actor, test.open_session(actor.id);

create temp table factor on commit drop as select test.make_factor(id) as id from actor;
create function pg_temp.remove(factor_id uuid default null) returns api.answer language sql
as $$ select api.remove_factor(session_id, user_id, coalesce(remove.factor_id, factor.id), '192.0.2.1', array['de']) from own, factor $$;
select is(((pg_temp.remove()).error).details ->> 'reason', 'step_up_required', 'a factor is removed by who proves one');
select test.step_up(session_id) from own;
select is(((pg_temp.remove(gen_random_uuid())).error).details ->> 'reason', 'factor_not_found', 'another id is not found');
select is(((pg_temp.remove(test.make_factor(test.make_account('+12025550102')))).error).details ->> 'reason', 'factor_not_found', 'nor is another user''s');
select is((pg_temp.remove()).error, null, 'the own one is removed');
select is(private.has_factor(id), false, 'and gone') from actor;
select is((test.otp('+12025550101', 'FACTORS_CHANGED')).languages, array['de'], 'the phone is told');
select private.revoke_session(session_id) from own;
select is(((pg_temp.remove()).error).code, 'SESSION_REVOKED', 'a revoked session removes nothing');

select * from finish();
rollback;
