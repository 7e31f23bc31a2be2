begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table factor on commit drop as select test.make_factor(id) as id from actor;

create temp table own on commit drop as select test.challenge(id) as id from actor;
create function pg_temp.live() returns boolean language sql as $$ select (private.live_challenge(id, 'login')).id is not null from own $$;
select is(pg_temp.live(), true, 'a challenge may be answered');
select is((private.live_challenge(id, 'step_up')).id, null, 'for its purpose alone') from own;
select is((private.live_challenge(id, 'login', gen_random_uuid())).id, null, 'and not for a session') from own;
update private.factor_challenge set expires_at = now() - interval '1 second';
select is(pg_temp.live(), false, 'until it expires');
update private.factor_challenge set expires_at = now() + interval '5 minutes', used_at = now();
select is(pg_temp.live(), false, 'and once');
update private.factor_challenge set used_at = null;
update "user".account set disabled_at = now(), disabled_reason = 'spam';
select is(pg_temp.live(), false, 'not for a disabled account');
update "user".account set disabled_at = null, disabled_reason = null, deletion_due_at = now() - interval '1 second';
select is(pg_temp.live(), false, 'nor one whose deletion is due');
update "user".account set deletion_due_at = null;
select private.revoke_sessions_of_user(id) from actor;
select is(pg_temp.live(), false, 'nor after all sessions were revoked');

select * from finish();
rollback;
