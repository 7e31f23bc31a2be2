begin;
select plan(10);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
select test.open_session(alice), test.open_session(bob), private.remember_client(alice, '192.0.2.1') from actor;
select test.send_code('+12025550101', 'LOGIN'), test.send_code('+12025550102', 'LOGIN');
select private.count_send(test.make_decision(jsonb_build_object('otp_id', (test.otp('+12025550101', 'LOGIN')).id)), 1, 0);
select is((private.erase_account(alice)).phone, '+12025550101', 'the result is the account as it was') from actor;
select is((select array_agg(phone) from "user".account), array['+12025550102'], 'the account is deleted, and no other');
select is((select array_agg(identifier) from platform.otp_transaction), array['+12025550102'], 'rows that hold its phone are deleted');
select is((select count(*) from "user".session) || ' ' || (select count(*) from private.known_client) || ' ' ||
  (select count(*) from private.verification_state), '1 1 0', 'sessions, known clients and the locked state are deleted, and none of another account');
select is(test.count('client:192.0.2.1', 'hour', now()), '0 0', 'its send is not counted for its address any more');
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
  (select array['+12025550102', 'someone@example.org', 'FACTOR_CHANGES_PER_USER:' || bob, 'FACTOR_FAILURES_PER_USER:' || bob, 'LOGINS_PER_PHONE:' || bob, 'PASSWORD_CHANGES_PER_USER:' || bob] from actor),
  'what logins, changes of password and of factors, and wrong codes of a factor lock is locked before the account, in their order');

-- A phone that is not its own
drop trigger record on private.verification_state;
drop trigger record on platform.rate_limit;
select test.clean_slate();
create temp table asker on commit drop as select test.make_account('+12025550101') as id;
select private.remember_phone(id, p, null, now()) from asker, unnest(array['+12025550102', '+12025550103']) p;
select test.guess('PHONE', '+12025550103', 'SIGNUP') from private.lock_verification_state('PHONE', '+12025550103');
select private.erase_account(id) from asker;
select is_empty('select from private.verification_state', 'neither wrong codes of phones that it asked for are left, nor rows that locks made');

-- A change of phone that the erasure waits for: a trigger on the first row that it writes takes its place
create temp table changer on commit drop as select test.make_account('+12025550104') as id;
create function pg_temp.change() returns trigger language plpgsql as $$
begin
  update "user".account set phone = '+12025550105';
  return new;
end $$;
create trigger change before insert on private.verification_state for each row execute function pg_temp.change();
select throws_ok('select private.erase_account(id) from changer', '55006', null, 'an account whose phone changes meanwhile is not erased: the new phone is not locked');
select is((select phone from "user".account), '+12025550104', 'the caller may try again');
select * from finish();
rollback;
