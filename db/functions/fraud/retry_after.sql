create or replace function fraud.retry_after(rule text, setting jsonb, facts fraud.send_facts)
returns interval
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A list does not change by waiting; an operator may change it.
  c_list_wait constant interval := interval '1 hour';
begin
  if retry_after.rule in ('FRAUD_CALLING_CODES', 'FRAUD_NUMBER_TYPES') then
    return c_list_wait;
  end if;
  if retry_after.rule = 'FRAUD_COOL_DOWN' then
    return make_interval(secs => (retry_after.setting ->> 'seconds')::integer) - facts.since_last;
  end if;
  return date_trunc('hour', facts.at, 'UTC') + interval '1 hour' - facts.at;
end
$$;

comment on function fraud.retry_after(text, jsonb, fraud.send_facts) is
$$How long a refused client should wait: the rest of a cool-down, an hour for a list, and for any other rule the time until the next clock
hour, which has new counts. rule: the setting's name. setting: its value.$$;
