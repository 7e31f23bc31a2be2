create or replace function "user".make_room_for_session()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := private.setting_integer('SESSIONS_PER_USER');
  -- Bounds what one opening reads and writes, if the limit was switched on late.
  c_most_beyond constant integer := 10000;
  c_most_revoked constant integer := 1000;
  v_live uuid[];
  v_is_more boolean;
begin
  if v_most is null then
    return new;
  end if;
  -- Sessions of one account open one at a time: two at once would count the same sessions and leave one too many. The
  -- trigger complete_session, which runs before this one, has locked the account.
  select
    coalesce(array_agg(t.id order by t.created_at desc, t.id desc) filter (where t.refresh_token_expires_at > clock_timestamp()), '{}'),
    count(*) = v_most + c_most_beyond
  into v_live, v_is_more
  from (
    select s.id, s.created_at, s.refresh_token_expires_at from "user".session s
    where s.user_id = new.user_id and s.session_epoch = new.session_epoch and s.revoked_at is null
    order by s.created_at desc, s.id desc
    limit v_most + c_most_beyond
  ) t;
  if v_is_more or cardinality(v_live) >= v_most + c_most_revoked then
    perform from private.revoke_sessions_of_user(new.user_id, v_live[:v_most - 1], 'too_many');
    new.session_epoch := new.session_epoch + 1;
    return new;
  end if;

  -- Locked in the order of their ids, as in private.revoke_sessions_of_user, so that the two cannot deadlock.
  perform private.revoke_session(d.id, 'too_many')
  from (
    select s.id from "user".session s
    where s.id = any (v_live[v_most:])
    order by s.id
    for no key update
  ) d;
  return new;
end
$$;

comment on function "user".make_room_for_session() is
$$Trigger of "user".session: revokes the oldest live sessions of a user, so that there are at most SESSIONS_PER_USER with the new one. Where a user
has more than a thousand too many, all but the newest end at once (private.revoke_sessions_of_user).$$;

create or replace trigger make_room_for_session before insert on "user".session
  for each row when (new.user_id is not null) execute function "user".make_room_for_session();
