create or replace function api.list_sign_in_ways(rp_id text)
returns api.sign_in_ways_answer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.sign_in_ways_answer;
begin
  v_answer.ways := array_remove(array[
    case when private.setting('EMAIL_SIGN_IN') = '"on"' then 'email' end,
    case when private.passkey_sign_in_error(list_sign_in_ways.rp_id) is null then 'passkey' end,
    case when private.setting('PHONE_RECOVERY_BY_EMAIL') = '"on"' then 'phone_recovery' end
  ], null);
  return v_answer;
end
$$;

comment on function api.list_sign_in_ways(text) is
$$GET /demo: what the page may offer, because a settings table is not for everybody's eyes. rp_id: as private.passkey_error.
Result: ways holds email (EMAIL_SIGN_IN), passkey (PASSKEY_SIGN_IN) and phone_recovery (PHONE_RECOVERY_BY_EMAIL), as far as they are on. Errors: none.$$;
grant execute on function api.list_sign_in_ways(text) to latchkey_server;
