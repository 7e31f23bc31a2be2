begin;
select plan(4);
select test.clean_slate();
create temp table guest on commit drop as select * from test.open_session(null);
create function pg_temp.is_locked() returns boolean language sql
as $$ select s.xmax::text <> '0' from "user".session s join guest g on g.session_id = s.id $$;

select is(private.lock_guest(null), null, 'no guest is no error');
select is(pg_temp.is_locked(), false, 'a new session is not locked');
select is(private.lock_guest(session_id), null, 'a live guest session has no error') from guest;
select is(pg_temp.is_locked(), true, 'the guest''s session is locked');

select * from finish();
rollback;
