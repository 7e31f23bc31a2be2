begin;
select plan(3);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;

create temp table own on commit drop as select session_id from actor, test.open_session(actor.id);
create function pg_temp.reason() returns text language sql as $$ select (private.second_factor_error(session_id, id)).details ->> 'reason' from actor, own $$;
update "user".session set authenticated_at = now() - interval '1 day';
select is(pg_temp.reason(), null, 'an account without a factor proves none, however old its sign-in is');
select test.make_factor(id) from actor;
select is(pg_temp.reason(), 'step_up_required', 'one with a factor has to');
select test.step_up(session_id) from own;
select is(pg_temp.reason(), null, 'and may go on then');

select * from finish();
rollback;
