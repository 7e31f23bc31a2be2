begin;
select plan(3);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550105') as id, test.make_account('+12025550102') as other;
select private.remember_phone(id, '+12025550104', now(), null), private.remember_phone(id, '+12025550102', null, now()),
  private.remember_phone(other, '+12025550101', null, now()), test.queue_otp('+12025550103', 'PHONE', 'PHONE_CHANGE', true, now(), account_id => id)
from actor;
create temp table locked (n serial, phone text) on commit drop;
create function pg_temp.record() returns trigger language plpgsql as $$
begin
  insert into locked (phone) values (new.identifier);
  return new;
end $$;
create trigger record before insert on private.verification_state for each row execute function pg_temp.record();
create temp table phones on commit drop as select private.lock_phones_of_account(a) as found from "user".account a join actor using (id);
select is((select array_agg(l.phone order by l.n) from locked l), array['+12025550102', '+12025550103', '+12025550104', '+12025550105'],
  'its phone, those that it had or asked for and those of its codes are locked in their order');
select is((select found from phones), (select array_agg(l.phone order by l.n) from locked l), 'and returned');
select is(private.lock_phones_of_account(null), '{}', 'no account has none');
select * from finish();
rollback;
