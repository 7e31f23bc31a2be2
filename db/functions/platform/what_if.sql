create or replace function platform.what_if(settings jsonb, from_at timestamptz, to_at timestamptz)
returns setof platform.what_if_rule
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select w.rule, w.decisions::integer, w.unknown::integer, w.refused_then::integer, w.refused_now::integer, w.saved_messages::integer,
    w.saved, w.hurt::integer
  from fraud.what_if(what_if.settings, what_if.from_at, what_if.to_at) w;
exception
  -- The sentence is about the admin's own settings. GraphQL hides the messages of other errors.
  when invalid_parameter_value then
    raise exception '%', sqlerrm using errcode = 'check_violation', constraint = 'configuration_value_is_valid';
end
$$;

comment on function platform.what_if(jsonb, timestamptz, timestamptz) is
$$Query what_if: fraud.what_if, for GraphQL. A period with very many decisions ends at the request's time-out: ask for a shorter one.$$;
grant execute on function platform.what_if(jsonb, timestamptz, timestamptz) to latchkey_admin;
