create or replace function "user".record_use()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_today date := (clock_timestamp() at time zone 'UTC')::date;
begin
  update "user".account a set last_used_on = v_today
  -- A locked account is skipped and the next refresh writes the day: waiting could deadlock, because a refresh holds
  -- its session already and other transactions lock the account first.
  where a.id = (select u.id from "user".account u where u.id = new.user_id and u.last_used_on < v_today for no key update skip locked);
  return null;
end
$$;

comment on function "user".record_use() is
$$Trigger of "user".session: records the day on which an account is used, for PHONE_RECYCLED_AFTER_DAYS. Called only for a new session and the
first refresh of a session on a day, so that other refreshes cost nothing.$$;

create or replace trigger record_use_of_opening after insert on "user".session
  for each row when (new.user_id is not null) execute function "user".record_use();
create or replace trigger record_use_of_refresh after update of rotated_at on "user".session
  for each row when (
    new.user_id is not null
    and (new.rotated_at at time zone 'UTC')::date > (coalesce(old.rotated_at, old.created_at) at time zone 'UTC')::date
  )
  execute function "user".record_use();
