begin;
select plan(3);
select test.clean_slate();
create temp table mine on commit drop as select session_id as id from test.open_session(null);
create temp table other on commit drop as select session_id as id from test.open_session(null);
select private.revoke_session(id) from mine;
select ok((select revoked_at between now() and clock_timestamp() from "user".session join mine using (id)),
  'revoke_session sets revoked_at to the current time');
create temp table before on commit drop as select revoked_at from "user".session join mine using (id);
select private.revoke_session(id) from mine;
select is((select revoked_at from "user".session join mine using (id)), (select revoked_at from before),
  'a second call of revoke_session does not change revoked_at');
select is((select revoked_at from "user".session join other using (id)), null, 'revoke_session does not revoke another session');

select * from finish();
rollback;
