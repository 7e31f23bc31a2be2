create or replace function private.explain_unknown_request(request_id text)
returns setof platform.delivery_event
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select
    clock_timestamp(),
    case
      -- As runtime/request_ids.ts.
      when explain_unknown_request.request_id ~ '^[A-Za-z0-9._:-]{1,128}$' then 'No refusal of this request is stored.'
      else 'This is no id of a request.'
    end,
    null::uuid,
    case
      when explain_unknown_request.request_id ~ '^[A-Za-z0-9._:-]{1,128}$' then
        'it succeeded; or it was refused for its input, its token or the state of its session or code; or a limit refused it that had been reported '
          || 'in the same period (limits_of shows whose); or it did not reach the database; or it is older than '
          || (private.setting('EVENT_RETENTION_DAYS') #>> '{}') || ' days (EVENT_RETENTION_DAYS). The server''s log line with this requestId has '
          || 'errorCode, reason and policy.'
      else 'it is in the answer''s header X-Request-Id: 1 to 128 letters, digits, dots, underscores, colons and hyphens'
    end
$$;

comment on function private.explain_unknown_request(text) is
$$Why nothing is stored of a request's refusal, as one event. request_id: as platform.explain_refusal.$$;
