begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table own on commit drop as select session_id, user_id from actor, test.open_session(actor.id);

create function pg_temp.add(user_id uuid default null) returns api.new_totp_answer language sql
as $$ select api.add_totp_factor(own.session_id, coalesce(add.user_id, own.user_id), 'phone', '\xabcd', 'one') from own $$;
create temp table added on commit drop as select * from pg_temp.add();
select is(sealed_secret || ' ' || account_name, 'abcd +12025550101', 'the answer has what the app shows, and the secret as it was given') from added;
select is(f.kind || ' ' || f.label || ' ' || f.pepper_id, 'totp phone one', 'the app is stored') from "user".factor f join added on added.factor_id = f.id;
select is(confirmed_at, null, 'and waits for its first code') from "user".factor;
select is(((pg_temp.add(gen_random_uuid())).error).code, 'SESSION_NOT_FOUND', 'the session must be the user''s');
update "user".session set authenticated_at = now() - interval '1 hour';
select is(((pg_temp.add()).error).details ->> 'reason', 'step_up_required', 'it needs a recent sign-in');
update "user".session set authenticated_at = now();
select pg_temp.add() from generate_series(1, 9);
select is(((pg_temp.add()).error).details ->> 'reason', 'too_many_factors', 'an eleventh is refused');
select is((select count(*)::integer from "user".factor), 10, 'and not stored');

select test.set_setting('FACTOR_CHANGES_PER_USER', '"1/3600"');
select is(((pg_temp.add()).error).code, 'RATE_LIMIT_EXCEEDED', 'how often one is added is limited');

select * from finish();
rollback;
