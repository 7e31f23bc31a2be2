begin;
select plan(4);
select test.clean_slate();
insert into private.installation (is_one) values (true) on conflict do nothing;
update private.installation set sessions_refresh_after = null;
select test.open_session(null);
create function pg_temp.refusal() returns api.error language sql volatile as $$ select private.access_error(s) from "user".session s $$;
select is(pg_temp.refusal(), null, 'a live session may go on');
update private.installation set sessions_refresh_after = clock_timestamp();
select is(pg_temp.refusal(), private.error('SESSION_NOT_FOUND', '{"reason": "token_expired"}'), 'after a restore it has to refresh');
select is((select private.session_error(s) from "user".session s), null, 'which it may');
update "user".session set revoked_at = clock_timestamp();
select is((pg_temp.refusal()).code, 'SESSION_REVOKED', 'a revoked one may not go on');

select * from finish();
rollback;
