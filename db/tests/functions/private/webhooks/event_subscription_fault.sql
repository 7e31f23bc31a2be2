begin;
select plan(23);
select test.clean_slate();

create function pg_temp.fault(change jsonb) returns text language sql as $$
  select private.event_subscription_fault(jsonb_populate_record(
    null::settings.event_subscription,
    '{"id": "crm", "url": "https://hooks.example.com/a?b=c", "types": ["session.opened"], "secret_name": "crm.1"}'::jsonb || fault.change
  ))
$$;
select is(pg_temp.fault(change::jsonb), fault, change)
from (values
  ('{}', null),
  ('{"id": "a-b_9"}', null),
  ('{"id": "CRM"}', 'id must be 1 to 40 lower-case letters, digits, _ or -, and begin with a letter or digit'),
  ('{"id": "-a"}', 'id must be 1 to 40 lower-case letters, digits, _ or -, and begin with a letter or digit'),
  ('{"id": null}', 'id must be 1 to 40 lower-case letters, digits, _ or -, and begin with a letter or digit'),
  ('{"url": null}', 'url must be an address such as https://hooks.example.com/latchkey'),
  ('{"url": "ftp://hooks.example.com"}', 'url must be an address such as https://hooks.example.com/latchkey'),
  ('{"url": "https://hooks.example.com/a b"}', 'url must be an address such as https://hooks.example.com/latchkey'),
  ('{"url": "https://a:b@hooks.example.com/"}', 'url must not hold a user name or password: the signature tells the target who sends'),
  ('{"url": "https://hooks.example.com/a@b"}', null),
  ('{"url": "https://hooks.example.com/#a"}', 'url must not have a fragment (#…), which is never sent'),
  ('{"url": "http://hooks.example.com/"}', null),
  ('{"types": null}', 'types must name at least one type of event'),
  ('{"types": []}', 'types must name at least one type of event'),
  ('{"types": [null]}', 'types must not hold a null'),
  ('{"types": ["session.opened", "session.closed"]}', 'types: there is no type of event session.closed'),
  ('{"secret_name": null}', 'secret_name must be a name of EVENT_SECRETS: 1 to 64 letters, digits or any of _ . -'),
  ('{"secret_name": "a/b"}', 'secret_name must be a name of EVENT_SECRETS: 1 to 64 letters, digits or any of _ . -'),
  ('{"secret_name": "whsec_abc"}', 'secret_name must be the name that a secret has in EVENT_SECRETS, not the secret')
) c (change, fault);
select is(pg_temp.fault(jsonb_build_object('url', 'https://hooks.example.com/' || repeat('a', 1975))), 'url must have at most 2000 characters',
  'a URL of 2001 characters');
select is(pg_temp.fault(jsonb_build_object('types', to_jsonb(private.event_types()) || '["session.opened"]')), 'types must name each type once',
  'more types than there are');
update private.installation set production = true;
select is(pg_temp.fault('{"url": "http://hooks.example.com/"}'), 'url must begin with https:// in production', 'http in production');
select test.subscribe('s' || n, 'session.opened') from generate_series(1, 16) n;
select is(pg_temp.fault('{}'), 'there can be at most 16 subscriptions', 'a seventeenth');

select * from finish();
rollback;
