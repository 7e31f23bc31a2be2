create or replace function api.add_totp_factor(session_id uuid, user_id uuid, label text, sealed_secret bytea, pepper_id text)
returns api.new_totp_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.new_totp_answer;
  v_account "user".account;
begin
  v_answer.error := coalesce(
    private.lock_factor_change(add_totp_factor.session_id, add_totp_factor.user_id),
    private.factor_room_error(add_totp_factor.user_id)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  select a.* into v_account from "user".account a where a.id = add_totp_factor.user_id;
  insert into "user".factor as f (id, user_id, kind, label, sealed_secret, pepper_id)
  values (private.new_id(), v_account.id, 'totp', add_totp_factor.label, add_totp_factor.sealed_secret, add_totp_factor.pepper_id)
  returning f.id into v_answer.factor_id;
  v_answer.user_id := v_account.id;
  v_answer.account_name := coalesce(v_account.phone, v_account.email, v_account.id::text);
  v_answer.sealed_secret := encode(add_totp_factor.sealed_secret, 'hex');
  return v_answer;
end
$$;

comment on function api.add_totp_factor(uuid, uuid, text, bytea, text) is
$$POST /api/v1/auth/factors/totp: adds an authenticator app, which counts once its first code was right (api.confirm_totp_factor).
session_id, user_id: claims sid and sub of a verified access token. label: its name, or null. sealed_secret: encrypted by the server under the
HASH_PEPPER that pepper_id names. Errors: those of private.lock_factor_change and private.factor_room_error.$$;
grant execute on function api.add_totp_factor(uuid, uuid, text, bytea, text) to latchkey_server;
