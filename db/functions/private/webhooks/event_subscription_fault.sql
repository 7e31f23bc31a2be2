create or replace function private.event_subscription_fault(subscription settings.event_subscription)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 16;
  c_longest_url constant integer := 2000;
  v_unknown text := (
    select min(t.type) from unnest(event_subscription_fault.subscription.types) t (type)
    where t.type is null or t.type <> all (private.event_types())
  );
begin
  return case
    when (subscription.id ~ '^[a-z0-9][a-z0-9_-]{0,39}$') is not true
      then 'id must be 1 to 40 lower-case letters, digits, _ or -, and begin with a letter or digit'
    when length(subscription.url) > c_longest_url then format('url must have at most %s characters', c_longest_url)
    when (subscription.url ~ '^https?://[^[:space:][:cntrl:]]+$') is not true then 'url must be an address such as https://hooks.example.com/latchkey'
    when subscription.url ~ '^https?://[^/?#]*@' then 'url must not hold a user name or password: the signature tells the target who sends'
    when subscription.url like '%#%' then 'url must not have a fragment (#…), which is never sent'
    when private.is_production() and subscription.url not like 'https://%' then 'url must begin with https:// in production'
    when coalesce(cardinality(subscription.types), 0) = 0 then 'types must name at least one type of event'
    when array_position(subscription.types, null) is not null then 'types must not hold a null'
    when v_unknown is not null then format('types: there is no type of event %s', left(v_unknown, 60))
    when cardinality(subscription.types) > cardinality(private.event_types()) then 'types must name each type once'
    when subscription.secret_name ~ '^whsec_' then 'secret_name must be the name that a secret has in EVENT_SECRETS, not the secret'
    when (subscription.secret_name ~ '^[A-Za-z0-9_.-]{1,64}$') is not true
      then 'secret_name must be a name of EVENT_SECRETS: 1 to 64 letters, digits or any of _ . -'
    when (select count(*) from settings.event_subscription s where s.id <> subscription.id) >= c_most
      then format('there can be at most %s subscriptions', c_most)
  end;
end
$$;

comment on function private.event_subscription_fault(settings.event_subscription) is
$$What is wrong with a subscription, as a sentence; null: nothing that SQL can see. Whether its host and its secret are in the worker's environment
only the worker knows, which then says so in last_error of platform.event_subscription_state.$$;
