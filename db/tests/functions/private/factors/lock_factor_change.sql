begin;
select plan(6);
select test.clean_slate();
create temp table own on commit drop as
select o.session_id, o.user_id from test.make_account('+12025550101') a, test.open_session(a) o;
create temp table other on commit drop as
select o.session_id, o.user_id from test.make_account('+12025550102') a, test.open_session(a) o;
select test.set_setting('FACTOR_CHANGES_PER_USER', '"2/3600"');

create function pg_temp.change() returns api.error language sql as $$ select private.lock_factor_change(session_id, user_id) from own $$;
select is(array[pg_temp.change(), pg_temp.change()], array[null, null]::api.error[], 'changes within the limit are counted');
select is((pg_temp.change()).code, 'RATE_LIMIT_EXCEEDED', 'and the next one is refused');
select is(private.lock_factor_change(session_id, user_id), null, 'for this account alone') from other;
select test.make_factor(user_id) from other;
select is((private.lock_factor_change(session_id, user_id)).details ->> 'reason', 'step_up_required', 'who has a factor proves it') from other;
select private.revoke_session(session_id) from other;
select is((private.lock_factor_change(session_id, user_id)).code, 'SESSION_REVOKED', 'a session that has ended changes nothing') from other;
select is(
  (select cardinality(l.hits) from platform.rate_limit l, other where l.key = 'FACTOR_CHANGES_PER_USER:' || other.user_id), 1,
  'and is not counted'
);
select * from finish();
rollback;
