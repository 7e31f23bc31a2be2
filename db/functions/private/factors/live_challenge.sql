create or replace function private.live_challenge(challenge_id uuid, purpose text, session_id uuid default null)
returns private.factor_challenge
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_challenge private.factor_challenge;
begin
  select c.* into v_challenge
  from private.factor_challenge c
  where c.id = live_challenge.challenge_id and c.purpose = live_challenge.purpose
    and c.session_id is not distinct from live_challenge.session_id and c.used_at is null and c.expires_at > clock_timestamp()
    and c.session_epoch is not distinct from case when c.purpose = 'login' then
      (select a.session_epoch from "user".account a where a.id = c.user_id and private.is_usable(a))
    end;
  return v_challenge;
end
$$;

comment on function private.live_challenge(uuid, text, uuid) is
$$A challenge that may be answered; all null where there is none of this id, purpose and session (null: of a sign-in): it is unknown, used or over, the account cannot be
signed in to any more, or all its sessions were revoked since the first step, as by a new password. Volatile: read after a lock, it sees what
was committed meanwhile.$$;
