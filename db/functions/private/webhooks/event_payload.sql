create or replace function private.event_payload(event platform.event)
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'type', event.type,
    'timestamp', to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'data', jsonb_build_object(
      'id', event.id, 'user_id', event.user_id, 'session_id', event.session_id, 'actor', event.actor, 'details', event.data
    )
  )::text
$$;

comment on function private.event_payload(platform.event) is
$$The body of a webhook, in the form that Standard Webhooks recommends. Thin: ids and what the event itself says, without a phone and
without the client's address; who needs more asks GraphQL.$$;
