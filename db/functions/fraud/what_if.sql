create or replace function fraud.what_if(settings jsonb, from_at timestamptz, to_at timestamptz)
returns setof fraud.replayed
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text[] := fraud.rule_names();
  -- Without those that refuse nothing, so that no decision is compared with them.
  v_rules jsonb := (
    select jsonb_object_agg(r.name, case when r.value -> 'mode' = '"enforce"' then r.value else '{"mode": "off"}' end)
    from jsonb_each(fraud.rules_in_force() || fraud.checked_rules(what_if.settings)) r (name, value)
  );
begin
  return query
  -- Groups the many decisions first, so that the following steps handle few rows.
  with replayed as materialized (
    select d.verdict, d.rule, d.verified_at is not null as verified,
      d.verdict <> 'refused' and (o.id is null or coalesce(a.was_sent, false)) as was_sent,
      fraud.refusals(v_rules, row(
        d.at, d.prefix, d.country, d.client, d.purpose, d.sends_this_hour, d.sends_last_day, d.country_unverified, d.country_verified,
        d.client_unverified, d.client_verified, d.since_last, d.known, d.number_type
      )::fraud.send_facts) as refusals,
      count(*) as decisions, sum(a.price) as price
    from platform.send_decision d
    left join platform.otp_transaction o on o.id = d.otp_id
    left join lateral (
      select bool_or(coalesce(t.outcome, 'uncertain') in ('sent', 'uncertain')) as was_sent, sum(t.price) as price
      from platform.delivery_attempt t
      where t.otp_id = o.id
    ) a on true
    where d.at >= what_if.from_at and d.at < what_if.to_at
    group by 1, 2, 3, 4, 5
  ),
  by_rule (position, name, decisions, refused_then, refuses_now, was_sent, price, verified) as (
    select n.position, n.name, r.decisions, r.verdict = 'refused' and r.rule = n.name,
      r.refusals[n.position], r.was_sent, r.price, r.verified
    from unnest(v_names) with ordinality n (name, position) left join replayed r on true
    union all
    select cardinality(v_names) + 1, null, r.decisions, r.verdict = 'refused', e.refuses, r.was_sent, r.price, r.verified
    from (select 1) one left join replayed r on true
    cross join lateral (
      -- Null (unknown) only if no rule is known to refuse.
      select bool_or(a.refuses) or (case when bool_or(a.refuses is null) then null else false end) as refuses
      from unnest(r.refusals) a (refuses)
    ) e
  )
  select b.name, coalesce(sum(b.decisions), 0)::bigint,
    coalesce(sum(b.decisions) filter (where b.refuses_now is null), 0)::bigint,
    coalesce(sum(b.decisions) filter (where b.refused_then), 0)::bigint,
    coalesce(sum(b.decisions) filter (where b.refuses_now), 0)::bigint,
    coalesce(sum(b.price) filter (where b.refuses_now), 0),
    coalesce(sum(b.decisions) filter (where b.refuses_now and b.was_sent), 0)::bigint,
    coalesce(sum(b.decisions) filter (where b.refuses_now and b.verified), 0)::bigint
  from by_rule b
  group by b.position, b.name
  order by b.position;
end
$$;

comment on function fraud.what_if(jsonb, timestamptz, timestamptz) is
$$Repeats recorded decisions under other settings, through the rules that made them: one row per rule, which counts what that rule alone
would refuse in mode "enforce", and last a row without a name for all together. Writes nothing.
settings: {"FRAUD_COUNTRY": {…}}; rules that are not named keep the setting in force. from_at: the first moment. to_at: the first one after
it. Raises (22023) for an unknown or invalid setting. Its limits: facts are as they were, and an earlier refusal would have lowered
later counts, so it reports more refusals than there would have been; a refused send was never verified, so "hurt" counts what was let through;
an address that a rule exempts is forgotten after private.send_client_lifetime().$$;
grant execute on function fraud.what_if(jsonb, timestamptz, timestamptz) to latchkey_admin;
