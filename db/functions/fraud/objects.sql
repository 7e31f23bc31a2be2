create or replace function fraud.objects(rule text, setting jsonb, facts fraud.send_facts)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- The days of the verified sends that fraud.counts_of counts. Integer division, because a count is a whole number.
  c_days constant integer := fraud.usual_days();
begin
  if objects.setting ->> 'mode' = 'off' or fraud.is_listed(objects.setting -> 'exempt', facts) then
    return false;
  end if;
  return case objects.rule
    -- The phone's calling code is blocked, or is not among those allowed where any are listed.
    when 'FRAUD_CALLING_CODES' then
      fraud.is_listed(objects.setting -> 'blocked', facts)
      or objects.setting -> 'allowed' <> '[]' and not fraud.is_listed(objects.setting -> 'allowed', facts)
    -- The service has sent perHour in this clock hour, or perDay in the last 24. Exact to the number of sends in flight:
    -- they do not see each other.
    when 'FRAUD_BUDGET' then
      facts.sends_this_hour >= (objects.setting ->> 'perHour')::bigint or facts.sends_last_day >= (objects.setting ->> 'perDay')::bigint
    -- Unverified sends to the country in the last 24 clock hours have reached the minimum, and factor times its daily
    -- verified ones. Not for a phone whose account the client has logged in to: the difference reveals nothing to it.
    when 'FRAUD_COUNTRY' then
      facts.country_unverified >= greatest(
        (objects.setting ->> 'minimum')::bigint, (objects.setting ->> 'factor')::bigint * facts.country_verified / c_days
      ) and not facts.known
    -- The same of the client's sends.
    when 'FRAUD_CLIENT' then
      facts.client_unverified >= greatest(
        (objects.setting ->> 'minimum')::bigint, (objects.setting ->> 'factor')::bigint * facts.client_verified / c_days
      )
    -- The send to this phone before was less than so many seconds ago.
    when 'FRAUD_COOL_DOWN' then facts.since_last < make_interval(secs => (objects.setting ->> 'seconds')::integer)
    -- The type of the number is listed.
    when 'FRAUD_NUMBER_TYPES' then objects.setting -> 'types' ? facts.number_type
  end;
end
$$;

comment on function fraud.objects(text, jsonb, fraud.send_facts) is
$$Whether a fraud rule objects to a send, in mode "record" as in "enforce": what each rule says is in its body. Never to one of its exempt
calling codes or clients. rule: of fraud.rule_names(). setting: its value. Result: false for a rule that is off, null where its facts are
missing.$$;
