create or replace function private.country_of(phone text)
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (
      select d.country
      from platform.otp_transaction o
      join platform.send_decision d on d.otp_id = o.id
      where o.identifier = country_of.phone
      order by o.created_at desc
      limit 1
    ),
    '001'
  )
$$;

comment on function private.country_of(text) is
$$The country of a phone, as platform.send_decision has it, for an SMS that no request with this phone asks for: that of the latest decision about
it; 001 where there is none. Only the server can tell the country of a phone. phone: E.164.$$;
