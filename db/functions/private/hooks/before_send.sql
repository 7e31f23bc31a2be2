create or replace function private.before_send(request private.send_request)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.hook_refusal(private.call_hook(
    'before_send', array['text', 'text', 'text'], 'text', request.identifier, request.purpose, request.client
  ));
end
$$;

comment on function private.before_send(private.send_request) is
$$Whether hook.before_send refuses that a code is sent to a phone. Errors: INVALID_REQUEST (details.reason refused_by_hook, details.hookReason).$$;
