begin;
select plan(3);
select test.clean_slate();
create temp table mine on commit drop as select session_id as id from private.open_session(null);
create temp table other on commit drop as select session_id as id from private.open_session(null);
select private.revoke_session(id) from mine;
select ok((select revoked_at between now() and clock_timestamp() from "user".session join mine using (id)), 'a session is revoked from now on');
create temp table before on commit drop as select revoked_at from "user".session join mine using (id);
select private.revoke_session(id) from mine;
select is((select revoked_at from "user".session join mine using (id)), (select revoked_at from before), 'revoking it again leaves the first moment');
select is((select revoked_at from "user".session join other using (id)), null, 'no other session is touched');

select * from finish();
rollback;
