create or replace function private.call_hook(name text, types text[], result text, variadic arguments text[])
returns text
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_found text;
  v_expected text;
begin
  -- Most installations have no hook: this is all that it costs them.
  if not exists (select from pg_proc p where p.proname = call_hook.name::name and p.pronamespace = to_regnamespace('hook')) then
    return null;
  end if;
  select string_agg(format('%s returns %s', p.oid::regprocedure, case when p.proretset then 'setof ' else '' end || p.prorettype::regtype), ', ')
  into v_found from pg_proc p
  where p.proname = call_hook.name and p.pronamespace = to_regnamespace('hook');
  v_expected := format('hook.%s(%s) returns %s', call_hook.name, array_to_string(call_hook.types, ','), call_hook.result);
  if v_found is distinct from v_expected then
    raise exception 'hook.% failed: it must be %, and there is %', call_hook.name, v_expected, v_found using errcode = 'HK000';
  end if;
  return private.run_hook(call_hook.name, call_hook.types, call_hook.result, call_hook.arguments);
end
$$;

comment on function private.call_hook(text, text[], text, text[]) is
$$Calls a hook where the application has it. name: of the function in schema hook. types, result: of its arguments and its answer, as regtype
writes them. arguments: as text. Result: the answer as text; null where there is no such hook. An error HK000 fails the request: private.run_hook,
or a hook with other arguments.$$;
