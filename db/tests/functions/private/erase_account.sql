begin;
select plan(6);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
select test.open_session(alice), test.open_session(bob), private.remember_client(alice, '192.0.2.1') from actor;
select test.send_code('+12025550101', 'LOGIN'), test.send_code('+12025550102', 'LOGIN');
select is((private.erase_account(alice)).phone, '+12025550101', 'the result is the account as it was') from actor;
select is((select array_agg(phone) from "user".account), array['+12025550102'], 'the account is deleted, and no other');
select is((select array_agg(identifier) from platform.otp_transaction), array['+12025550102'], 'so is what holds its phone');
select is((select count(*) from "user".session) || ' ' || (select count(*) from private.known_client) || ' ' ||
  (select count(*) from private.verification_state), '1 0 0', 'sessions, known clients and the locked state are deleted');
select is((private.erase_account(alice)).id, null, 'there may be none') from actor;

-- A lock of a row that is missing makes it
create temp table locked (n serial, row text) on commit drop;
create function pg_temp.record() returns trigger language plpgsql as $$
begin
  insert into locked (row) values (coalesce(to_jsonb(new) ->> 'identifier', to_jsonb(new) ->> 'key'));
  return new;
end $$;
create trigger record before insert on private.verification_state for each row execute function pg_temp.record();
create trigger record before insert on platform.rate_limit for each row execute function pg_temp.record();
grant all on locked, locked_n_seq to public;
delete from private.verification_state;
select private.erase_account(bob) from actor;
select is((select array_agg(row order by n) from locked),
  (select array['+12025550102', 'someone@example.org', 'LOGINS_PER_PHONE:+12025550102', 'PASSWORD_CHANGES_PER_USER:' || bob] from actor),
  'what logins and changes of password lock is locked before the account, in their order');
select * from finish();
rollback;
