create or replace function private.unconfirmed_factor(user_id uuid, factor_id uuid)
returns "user".factor[]
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select f from "user".factor f
    where f.id = unconfirmed_factor.factor_id and f.user_id = unconfirmed_factor.user_id
      and f.kind = 'totp' and f.confirmed_at is null and f.created_at > clock_timestamp() - private.enrolment_lifetime()
  )
$$;

comment on function private.unconfirmed_factor(uuid, uuid) is
$$A user's app that waits for its first code; empty: there is none of this id.$$;
