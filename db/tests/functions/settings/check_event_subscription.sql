begin;
select plan(3);
select test.clean_slate();
select throws_ok($$insert into settings.event_subscription (id, url, types, secret_name) values ('crm', 'hooks.example.com', '{session.opened}', 's')$$,
  '23514', 'url must be an address such as https://hooks.example.com/latchkey', 'an invalid subscription is refused with a sentence');
select test.subscribe('crm', 'session.opened');
select throws_ok($$update settings.event_subscription set types = '{session.closed}'$$, '23514', 'types: there is no type of event session.closed',
  'an update is checked like an insert');
update private.installation set production = true;
alter table settings.event_subscription disable trigger check_event_subscription;
update settings.event_subscription set url = 'http://hooks.example.com/';
alter table settings.event_subscription enable trigger check_event_subscription;
select lives_ok($$update settings.event_subscription set last_error = 'HTTP 500'$$, 'what the worker notes is not checked: it fails for no setting');
select * from finish();
rollback;
