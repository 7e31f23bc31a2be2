begin;
select plan(4);
select test.clean_slate();
select test.make_account('+12025550110');
select test.import_account('+12025550120', 'its parameters');
create function pg_temp.compared(phone text) returns text language sql
as $$ select row(p.password_hash, p.foreign_parameters)::text from private.password_to_compare(private.usable_account(phone), phone) p $$;
create function pg_temp.decoy(phone text) returns text language sql
as $$ select row(d.password_hash, d.foreign_parameters)::text from private.decoy_password(phone) d $$;
create function pg_temp.stored(phone text) returns text language sql
as $$ select row(a.password_hash, a.foreign_parameters)::text from "user".account a where a.phone = stored.phone $$;
select is(pg_temp.compared('+12025550110'), pg_temp.stored('+12025550110'), 'an account''s own password');
select is(pg_temp.compared('+12025550120'), pg_temp.stored('+12025550120'), 'an imported one with its parameters');
select is(pg_temp.compared('+12025550115'), pg_temp.decoy('+12025550115'), 'a decoy for an unknown phone');
update "user".account set password_hash = null where phone = '+12025550110';
select is(pg_temp.compared('+12025550110'), pg_temp.decoy('+12025550110'), 'and for an account without a password');
select * from finish();
rollback;
