create or replace function platform.explain_delivery(phone text, since timestamptz)
returns setof platform.delivery_event
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 200;
  v_type text := case when explain_delivery.phone like '%@%' then 'EMAIL' else 'PHONE' end;
  v_phone text := private.current_number(explain_delivery.phone);
begin
  return query
  with otp as materialized (
    select o from platform.otp_transaction o
    where o.identifier in (explain_delivery.phone, v_phone) and o.created_at >= coalesce(explain_delivery.since, '-infinity')
    order by o.created_at desc
    limit c_most
  ),
  event as (
    select e.* from otp, private.explain_request(otp.o) e
    union all
    select e.* from otp, private.explain_decision((otp.o).id) e
    union all
    select e.* from otp, private.explain_delivery_state(otp.o) e
    union all
    select e.* from otp, private.explain_attempts((otp.o).id) e
    union all
    select e.* from otp, private.explain_wrong_codes(otp.o) e
    union all
    select e.* from private.explain_guesses(v_type, v_phone) e
    union all
    select e.* from private.explain_failures(v_type, v_phone) e
    union all
    select e.* from private.explain_limits(v_phone) e
    union all
    select e.* from private.explain_factors(v_phone) e
  )
  select latest.* from (select e.* from event e order by e.at desc, e.what limit c_most) latest
  order by latest.at, latest.what;
end
$$;

comment on function platform.explain_delivery(text, timestamptz) is
$$Query explain_delivery: the story of a phone or email address in order of time, the latest 200 events. Each one-time password requested
since then, what became of its message and of its code, and what is refused now. For the admin and its support staff: npm run explain.
phone: E.164, or a lower-cased email address. since: the earliest request to show; null: all that are stored.$$;
grant execute on function platform.explain_delivery(text, timestamptz) to latchkey_admin;
