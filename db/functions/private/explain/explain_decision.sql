create or replace function private.explain_decision(otp_id uuid)
returns setof platform.delivery_event
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select
    d.at,
    format(case d.verdict
      when 'recorded' then 'The fraud rule %s objected; it only records, so the message was queued.'
      else 'No fraud rule objected: the message was queued.'
    end, d.rule),
    d.otp_id,
    format('%scountry of the phone: %s', 'requested by the client ' || nullif(d.client, '') || '; ', d.country) || coalesce('; type of the number: ' || d.number_type, '')
  from platform.send_decision d where d.otp_id = explain_decision.otp_id
$$;

comment on function private.explain_decision(uuid) is
$$What the fraud rules decided about a one-time password, as an event. Of a refused request there is no one-time password, and its decision
holds no phone: it is not part of any story.$$;
