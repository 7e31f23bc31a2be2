begin;
select plan(6);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table own on commit drop as select session_id, user_id from actor, test.open_session(actor.id);

create function pg_temp.make() returns api.recovery_codes_answer language sql
as $$ select api.make_recovery_codes(session_id, user_id, test.code_key()) from own $$;
select is(((pg_temp.make()).error).details ->> 'reason', 'factor_not_found', 'an account without a factor gets none');
select test.make_factor(id) from actor;
select is(((pg_temp.make()).error).details ->> 'reason', 'step_up_required', 'they need a proof of the factor');
select test.step_up(session_id) from own;
select is(cardinality((pg_temp.make()).recovery_codes), 10, 'then there are ten');
select is((select count(*)::integer from private.recovery_code), 10, 'which are stored');
select test.set_setting('FACTOR_CHANGES_PER_USER', '"1/3600"');
select is(((pg_temp.make()).error).code, 'RATE_LIMIT_EXCEEDED', 'how often they are made is limited');
select private.revoke_session(session_id) from own;
select is(((pg_temp.make()).error).code, 'SESSION_REVOKED', 'a revoked session makes none');

select * from finish();
rollback;
