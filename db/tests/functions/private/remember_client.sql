begin;
select plan(4);
select test.clean_slate();
create temp table account on commit drop as select test.make_account('+12025550101') as id;
select private.remember_client(id, 'home') from account;
select is((select row(account_id, client, logged_in_at)::text from private.known_client), (select row(id, 'home', now())::text from account),
  'the client of a login is remembered');
update private.known_client set logged_in_at = now() - interval '29 days';
select private.remember_client(id, 'home') from account;
select is((select array_agg(logged_in_at) from private.known_client), array[now()], 'its latest login counts');
select private.remember_client(id, 'office') from account;
select is((select array_agg(client order by client) from private.known_client), array['home', 'office'], 'an account has any number of clients');
delete from "user".account;
select is((select count(*)::integer from private.known_client), 0, 'who are forgotten with it');

select * from finish();
rollback;
