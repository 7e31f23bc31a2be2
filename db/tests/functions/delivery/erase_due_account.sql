begin;
select plan(13);
select test.clean_slate();
select test.make_account('+1202555010' || n) from generate_series(1, 3) n;
select is(delivery.erase_due_account(0), false, 'no account is to be deleted');
update "user".account set deletion_due_at = clock_timestamp() + interval '1 hour' where phone = '+12025550101';
update "user".account set deletion_due_at = clock_timestamp() where phone <> '+12025550101';
select is(delivery.erase_due_account(0), true, 'one account is erased');
select is((select count(*)::integer from "user".account), 2, 'and only one');
select is(delivery.erase_due_account(1), false, 'an account whose erasure failed is skipped');
select is(delivery.erase_due_account(0), true, 'then the next');
select is(delivery.erase_due_account(0), false, 'the call after the last account finds none');
select is((select phone from "user".account), '+12025550101', 'one whose deletion is not due stays');

-- A login that the erasure waits for: a trigger on the first row that it writes takes its place
create function pg_temp.restore() returns trigger language plpgsql as $$
begin
  update "user".account set deletion_due_at = null;
  return new;
end $$;
create trigger restore before insert or update on private.verification_state for each row execute function pg_temp.restore();
update "user".account set deletion_due_at = clock_timestamp();
select is(delivery.erase_due_account(0), true, 'an account that was restored meanwhile counts as done');
select is((select count(*)::integer from "user".account), 1, 'and is not erased');

-- Thousands of sessions
select test.set_setting('SESSIONS_PER_USER', '"off"');
update "user".account set deletion_due_at = null;
select test.insert_sessions(a.id, 5001) from "user".account a;
update "user".account set deletion_due_at = clock_timestamp();
create function pg_temp.restore_late() returns trigger language plpgsql as $$
begin
  update "user".account set deletion_due_at = null;
  return null;
end $$;
create trigger restore_late after delete on "user".session for each statement execute function pg_temp.restore_late();
select is(delivery.erase_due_account(0), true, 'one with thousands of sessions, that was restored meanwhile');
select is((select count(*)::integer from "user".session), 5001, 'keeps them');
drop trigger restore_late on "user".session;
drop trigger restore on private.verification_state;
select is(delivery.erase_due_account(0), true, 'sessions are erased first');
select is((select count(*)::integer from "user".session) || ' ' || (select count(*) from "user".account), '1 1', 'five thousand in a call');
select * from finish();
rollback;
