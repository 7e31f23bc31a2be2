create or replace function "user".complete_session()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ends private.session_ends := private.session_ends(new.created_at);
  v_account "user".account;
begin
  if new.user_id is not null then
    -- Locked, so that an account that is being disabled or deleted has no session that its revocation does not see.
    v_account := private.lock_account(new.user_id);
    if v_account.disabled_at is not null or v_account.deletion_due_at is not null then
      raise exception 'the account is disabled, or is to be deleted'
        using errcode = 'check_violation', constraint = 'session_needs_a_usable_account';
    end if;
  end if;

  new.id := coalesce(new.id, private.new_id());
  new.session_epoch := coalesce(v_account.session_epoch, 0);
  new.user_type := coalesce(new.user_type, case when new.user_id is null then 'guest' else 'user' end);
  new.role := coalesce(new.role, new.user_type);
  new.access_token_id := coalesce(new.access_token_id, gen_random_uuid());
  new.refresh_token_id := coalesce(new.refresh_token_id, gen_random_uuid());
  new.access_token_expires_at := coalesce(new.access_token_expires_at, v_ends.access_token);
  new.refresh_token_expires_at := coalesce(new.refresh_token_expires_at, v_ends.refresh_token);
  return new;
end
$$;

comment on function "user".complete_session() is
$$Trigger of "user".session: fills the columns that an insert leaves out. The only place that says how a session begins.
Refuses a session of an account that is disabled, or that its owner deleted: signing in restores that one first.$$;

create or replace trigger complete_session before insert on "user".session
  for each row execute function "user".complete_session();
