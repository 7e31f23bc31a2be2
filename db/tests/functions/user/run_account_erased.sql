begin;
select plan(5);
select test.clean_slate();
create temp table made on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
create table public.purchase (user_id uuid references "user".account);
grant select, update on public.purchase to latchkey_hook;
insert into public.purchase select id from made;
select throws_ok($$select private.erase_account(id) from made$$, '23503', null, 'a foreign key of the application may keep an account');
create function hook.account_erased(user_id uuid) returns void language sql
as $$ update public.purchase p set user_id = null where p.user_id = account_erased.user_id $$;
select lives_ok($$select private.erase_account(id) from made$$, 'the hook is called before the account goes, so it may give way');
select results_eq('select user_id from public.purchase', 'select null::uuid', 'and keep its rows');
create or replace function hook.account_erased(user_id uuid) returns void language plpgsql as $$ begin raise exception 'no'; end $$;
select throws_ok($$delete from "user".account$$, 'HK000', 'hook.account_erased failed: no', 'its fault fails the deletion');
select results_eq('select id from "user".account', 'select other from made', 'and the account stays');
select * from finish();
rollback;
