begin;
select plan(5);
select test.clean_slate(), test.make_account('+12025550101');
select is(private.phones_of_account(a), array['+12025550101'], 'an account is found by its phone') from "user".account a;
select is(private.phones_of_account(null), '{}', 'no account is found by none');
select private.remember_phone(a.id, asked, null, now()), private.remember_phone(a.id, '+12025550104', now(), null)
from "user".account a, unnest(array['+12025550102', '+12025550103']) asked;
select test.make_account('+12025550103');
create function pg_temp.phones() returns setof text language sql
as $$ select unnest(private.phones_of_account(a)) from "user".account a where a.phone = '+12025550101' $$;
select set_eq('select pg_temp.phones()', array['+12025550101', '+12025550104'],
  'a phone that it had is its own, and one that it only asked for is not');
select private.remember_phone(a.id, '+12025550102', null, now()), private.remember_phone(a.id, '+12025550104', now(), null)
from "user".account a where a.phone = '+12025550103';
select set_eq('select pg_temp.phones()', array['+12025550101'], 'nor is one that another account had too');
select set_eq($$select unnest(private.phones_of_account(a)) from "user".account a where a.phone = '+12025550103'$$,
  array['+12025550103'], 'its own phone is its own, although another account had asked for it');
select * from finish();
rollback;
