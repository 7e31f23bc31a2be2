create or replace function api.export_account(session_id uuid, user_id uuid)
returns api.export_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.export_answer;
begin
  v_answer.error := coalesce(
    private.caller_error(export_account.session_id, export_account.user_id),
    private.second_factor_error(export_account.session_id, export_account.user_id),
    private.rate_limit_error(private.take_rate_limits(array[
      private.rate_limit_rule('EXPORTS_PER_USER', export_account.user_id::text)
    ]))
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_answer.export := private.export_account(export_account.user_id);
  -- Checked again: before the account was read it may have lost its phone, or been erased, and its sessions ended with
  -- that.
  v_answer.error := private.caller_error(export_account.session_id, export_account.user_id);
  if v_answer.error is distinct from null then
    v_answer.export := null;
  end if;
  return v_answer;
end
$$;

comment on function api.export_account(uuid, uuid) is
$$GET /api/v1/auth/account/export: what is stored about the caller. session_id, user_id: claims sid and sub of a verified access token.
Errors: SESSION_NOT_FOUND, SESSION_REVOKED, RATE_LIMIT_EXCEEDED (EXPORTS_PER_USER); those of private.caller_error and private.second_factor_error.$$;
grant execute on function api.export_account(uuid, uuid) to latchkey_server;
