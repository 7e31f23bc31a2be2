begin;
select plan(2);
select is(private.subscription_in_event(row('crm', 'https://hooks.example.com/a?token=b', array['session.opened'], 's', true, now())),
  '{"url": "https://hooks.example.com", "types": ["session.opened"], "secret_name": "s", "enabled": true}'::jsonb,
  'of the URL scheme and host alone: the path may be a secret');
select is(private.subscription_in_event(null), null, 'null for none');
select * from finish();
rollback;
