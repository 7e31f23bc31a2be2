create or replace function api.list_factors(session_id uuid, user_id uuid)
returns api.factor_list_answer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.factor_list_answer;
begin
  v_answer.error := coalesce(
    private.user_session_error(list_factors.session_id, list_factors.user_id),
    private.step_up_error(list_factors.session_id, list_factors.user_id)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_answer.factors := array(
    select row(f.id, f.kind, f.label, f.created_at, f.last_used_at, f.confirmed_at is not null)::private.listed_factor
    from "user".factor f
    where f.user_id = list_factors.user_id
      and (f.confirmed_at is not null or f.created_at > clock_timestamp() - private.enrolment_lifetime())
    order by f.id desc
  );
  return v_answer;
end
$$;

comment on function api.list_factors(uuid, uuid) is
$$GET /api/v1/auth/factors: the caller's second factors, and those that wait for their first code, newest first.
session_id, user_id: claims sid and sub of a verified access token. Errors: those of private.user_session_error and private.step_up_error.$$;
grant execute on function api.list_factors(uuid, uuid) to latchkey_server;
