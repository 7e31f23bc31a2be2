create or replace function api.make_recovery_codes(session_id uuid, user_id uuid, code_key bytea)
returns api.recovery_codes_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.recovery_codes_answer;
begin
  v_answer.error := private.lock_factor_change(make_recovery_codes.session_id, make_recovery_codes.user_id);
  -- Without a factor nobody is asked for one, and codes that replace it would be left lying about.
  if v_answer.error is null and not private.has_factor(make_recovery_codes.user_id) then
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'factor_not_found'));
  end if;
  if v_answer.error is null then
    v_answer.recovery_codes := private.make_recovery_codes(make_recovery_codes.user_id, make_recovery_codes.code_key);
  end if;
  return v_answer;
end
$$;

comment on function api.make_recovery_codes(uuid, uuid, bytea) is
$$POST /api/v1/auth/recovery-codes: new recovery codes in place of the caller's earlier ones. session_id, user_id: claims sid and sub of a
verified access token. code_key: as private.hash_code. Errors: those of private.lock_factor_change; INVALID_REQUEST (details.reason
factor_not_found: the account has no second factor).$$;
grant execute on function api.make_recovery_codes(uuid, uuid, bytea) to latchkey_server;
