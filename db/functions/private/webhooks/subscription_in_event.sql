create or replace function private.subscription_in_event(subscription settings.event_subscription)
returns jsonb
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select case when subscription.id is not null then jsonb_build_object(
    'url', substring(subscription.url from '^https?://[^/?#]*'), 'types', subscription.types,
    'secret_name', subscription.secret_name, 'enabled', subscription.enabled
  ) end
$$;

comment on function private.subscription_in_event(settings.event_subscription) is
$$A subscription as an event tells it: of its URL scheme and host alone, because the path may be the secret, as with Slack.
Null for none.$$;
