create or replace function private.is_withheld(request private.send_request)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return request.identifier_type = 'PHONE' and request.purpose in ('LOGIN', 'SIGNUP')
    and not private.may_register(request.identifier)
    and (private.account_for_code(request.identifier)).id is null;
end
$$;

comment on function private.is_withheld(private.send_request) is
$$Whether a code would open nothing, because the phone has no account that a code may open and REGISTRATION admits none: no SMS is paid for
it.$$;
