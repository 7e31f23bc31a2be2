begin;
select plan(2);
select test.clean_slate();
select throws_ok($$insert into settings.event_subscription (id, url, types, secret_name) values ('crm', 'hooks.example.com', '{session.opened}', 's')$$,
  '23514', 'url must be an address such as https://hooks.example.com/latchkey', 'an invalid subscription is refused with a sentence');
select test.subscribe('crm', 'session.opened');
select throws_ok($$update settings.event_subscription set types = '{session.closed}'$$, '23514', 'types: there is no type of event session.closed',
  'an update is checked like an insert');
select * from finish();
rollback;
