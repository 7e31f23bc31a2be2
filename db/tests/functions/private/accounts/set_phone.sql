begin;
select plan(3);
select test.clean_slate();
select test.make_account('+12025550101');
create function pg_temp.give(new_phone text) returns text language sql
as $$ select coalesce((private.set_phone(a, give.new_phone, null, false, gen_random_uuid(), '{}', '192.0.2.1')).details ->> 'reason', '') from "user".account a $$;
select is(pg_temp.give('+12025550101'), 'already_registered', 'the phone that the account has is refused');
select is(pg_temp.give('+12025550102'), '', 'another one is set');
select is((select phone from "user".account), '+12025550102', 'and the account has it');
select * from finish();
rollback;
