create or replace function private.routes_fault(otp_provider jsonb, members text[])
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 100;
  v_members text[] := array['providerToUse', 'fallback'] || routes_fault.members;
  v_routes jsonb := routes_fault.otp_provider -> 'routes';
  v_code text;
  v_route jsonb;
  v_fault text;
begin
  if v_routes is null then
    return null;
  end if;
  if jsonb_typeof(v_routes) <> 'object' then
    return 'routes must be an object of calling codes, such as {"+91": {…}}';
  end if;
  if (select count(*) from jsonb_object_keys(v_routes)) > c_most then
    return format('routes may have %s calling codes at most', c_most);
  end if;
  for v_code, v_route in select r.code, r.route from jsonb_each(v_routes) r (code, route) loop
    v_fault := case
      when v_code !~ '^\+[1-9][0-9]{0,7}$' then 'is no calling code of 1 to 8 digits, such as +91'
      when jsonb_typeof(v_route) <> 'object' then 'must be an object with members of OTP_PROVIDER'
      when (select bool_or(m.name <> all (v_members)) from jsonb_object_keys(v_route) m (name)) then
        'may have ' || array_to_string(v_members, ', ')
      -- The texts are checked once, with the record.
      else private.provider_fault(private.routed_record(routes_fault.otp_provider, v_code) - 'templates')
    end;
    if v_fault is not null then
      return format('routes.%s: %s', left(v_code, 40), v_fault);
    end if;
  end loop;
  return null;
end
$$;

comment on function private.routes_fault(jsonb, text[]) is
$$What is wrong with the routes of an OTP_PROVIDER record; null when nothing is. Each route, merged over the record, must be a valid record.
members: the providers.$$;
