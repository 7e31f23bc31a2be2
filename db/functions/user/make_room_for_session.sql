create or replace function "user".make_room_for_session()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := nullif(private.setting('SESSIONS_PER_USER'), '"off"')::integer;
begin
  if v_most is null then
    return new;
  end if;
  -- Sessions of one account open one at a time: two at once would count the same sessions and leave one too many. The trigger
  -- complete_session, which runs before this one, has locked the account.
  -- Locked in the order of their ids, as in private.revoke_sessions_of_user, so that the two cannot deadlock.
  with doomed as (
    select s.id from "user".session s
    where s.id = any (array(
      select t.id from "user".session t
      where t.user_id = new.user_id and t.revoked_at is null and t.refresh_token_expires_at > clock_timestamp()
      order by t.created_at desc, t.id desc
      offset v_most - 1
    ))
    order by s.id
    for no key update
  )
  update "user".session s set revoked_at = clock_timestamp() from doomed where s.id = doomed.id and s.revoked_at is null;
  return new;
end
$$;

comment on function "user".make_room_for_session() is
$$Trigger of "user".session: revokes the oldest live sessions of a user, so that there are at most SESSIONS_PER_USER with the new one.$$;

create or replace trigger make_room_for_session before insert on "user".session
  for each row when (new.user_id is not null) execute function "user".make_room_for_session();
