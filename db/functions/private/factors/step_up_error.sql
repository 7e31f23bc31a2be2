create or replace function private.step_up_error(session_id uuid, user_id uuid)
returns api.error
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_max_age integer := private.setting_integer('STEP_UP_MAX_AGE_SECONDS');
  v_acr text := case when private.asks_for_factor(step_up_error.user_id) then 'aal2' end;
begin
  perform from "user".session s
  where s.id = step_up_error.session_id and s.user_id = step_up_error.user_id
    and s.authenticated_at > clock_timestamp() - make_interval(secs => v_max_age)
    and (v_acr is null or private.acr(s.amr) = v_acr);
  if found then
    return null;
  end if;
  return private.error('INVALID_REQUEST', jsonb_strip_nulls(jsonb_build_object(
    'reason', 'step_up_required', 'max_age', v_max_age, 'acr_values', v_acr,
    'factors', case when v_acr is not null then private.factor_kinds(step_up_error.user_id) end
  )));
end
$$;

comment on function private.step_up_error(uuid, uuid) is
$$Why a session may not change second factors yet; null within STEP_UP_MAX_AGE_SECONDS of its sign-in or step-up, which must have been with a
second factor where the account has one. session_id, user_id: of a live session.
Errors: INVALID_REQUEST (details.reason step_up_required; max_age; where a second factor is needed, acr_values aal2 and factors, their kinds).$$;
