create or replace function private.new_challenge(purpose text, user_id uuid, session_id uuid)
returns private.factor_challenge
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_challenge private.factor_challenge;
begin
  -- One at a time for a session, so that it cannot make us keep any number of them.
  delete from private.factor_challenge c
  where c.user_id = new_challenge.user_id and c.session_id = new_challenge.session_id and c.purpose = new_challenge.purpose;
  insert into private.factor_challenge as c (id, purpose, user_id, session_id, webauthn_challenge, expires_at)
  values (
    gen_random_uuid(), new_challenge.purpose, new_challenge.user_id, new_challenge.session_id, crypto.gen_random_bytes(32),
    clock_timestamp() + private.challenge_lifetime()
  )
  returning c.* into v_challenge;
  return v_challenge;
end
$$;

comment on function private.new_challenge(text, uuid, uuid) is
$$A challenge for a passkey, in place of the session's earlier one of the same purpose. user_id, session_id: null where nobody is known yet.
Else the caller has locked the account.$$;
