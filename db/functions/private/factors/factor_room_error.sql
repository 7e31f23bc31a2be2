create or replace function private.factor_room_error(user_id uuid)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 10;
begin
  if private.setting('SECOND_FACTOR') = '"off"' then
    return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'not_enabled'));
  end if;
  delete from "user".factor f
  where f.user_id = factor_room_error.user_id and f.confirmed_at is null
    and f.created_at < clock_timestamp() - private.enrolment_lifetime();
  if (select count(*) from "user".factor f where f.user_id = factor_room_error.user_id) >= c_most then
    return private.error('INVALID_REQUEST', jsonb_build_object('reason', 'too_many_factors', 'maximum', c_most));
  end if;
  return null;
end
$$;

comment on function private.factor_room_error(uuid) is
$$Why an account may not add a second factor; null where it may. Deletes those that nobody confirmed in time. The caller has locked the account.
Errors: INVALID_REQUEST (details.reason not_enabled, too_many_factors).$$;
