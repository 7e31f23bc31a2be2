create or replace function api.remove_factor(session_id uuid, user_id uuid, factor_id uuid, client text, languages text[] default '{}')
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.answer;
  v_account "user".account := private.lock_account_to_tell(remove_factor.user_id);
begin
  v_answer.error := coalesce(
    private.user_session_error(remove_factor.session_id, remove_factor.user_id),
    private.step_up_error(remove_factor.session_id, remove_factor.user_id),
    private.factor_found_error(array(
      select f from "user".factor f where f.id = remove_factor.factor_id and f.user_id = remove_factor.user_id
    )),
    private.last_factor_error(remove_factor.user_id, remove_factor.factor_id)
  );
  if v_answer.error is null then
    perform private.delete_factors(v_account, array[remove_factor.factor_id], remove_factor.languages, remove_factor.client);
  end if;
  return v_answer;
end
$$;

comment on function api.remove_factor(uuid, uuid, uuid, text, text[]) is
$$DELETE /api/v1/auth/factors/{factor_id}: removes one of the caller's second factors, and the recovery codes with the last one; the
phone is told. session_id, user_id: claims sid and sub of a verified access token. client, languages: as private.queue_notice.
Errors: those of private.user_session_error, private.step_up_error, private.factor_found_error and
private.last_factor_error.$$;
grant execute on function api.remove_factor(uuid, uuid, uuid, text, text[]) to latchkey_server;
