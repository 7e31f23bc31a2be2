create or replace function private.live_registrations(phone text)
returns setof private.pending_registration
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select r.*
  from private.pending_registration r
  where r.phone = live_registrations.phone
    and r.registered_at > clock_timestamp() - private.registration_lifetime()
  order by r.registered_at desc, r.user_id desc
$$;

comment on function private.live_registrations(text) is
$$The registrations of a phone that can still be confirmed, latest first. phone: E.164.$$;
