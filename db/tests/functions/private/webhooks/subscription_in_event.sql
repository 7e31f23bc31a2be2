begin;
select plan(2);
select is(private.subscription_in_event(row('crm', 'https://hooks.example.com/a?token=b', array['session.opened'], 's', true, now())),
  '{"url": "https://hooks.example.com/a", "types": ["session.opened"], "secret_name": "s", "enabled": true}'::jsonb,
  'without what the URL has behind its question mark');
select is(private.subscription_in_event(null), null, 'null for none');
select * from finish();
rollback;
