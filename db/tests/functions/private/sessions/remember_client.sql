begin;
select plan(4);
select test.clean_slate();
create temp table account on commit drop as select test.make_account('+12025550101') as id;
select private.remember_client(id, 'home') from account;
select is((select row(account_id, client, logged_in_at)::text from private.known_client),
  (select row(id, 'home', now())::text from account),
  'remember_client stores account, client and time');
update private.known_client set logged_in_at = now() - interval '29 days';
select private.remember_client(id, 'home') from account;
select is((select array_agg(logged_in_at) from private.known_client), array[now()],
  'a later login from the same client updates the time');
select private.remember_client(id, 'office') from account;
select is((select array_agg(client order by client) from private.known_client), array['home', 'office'],
  'an account can have several known clients');
delete from "user".account;
select is((select count(*)::integer from private.known_client), 0, 'deleting an account deletes its known clients');

select * from finish();
rollback;
