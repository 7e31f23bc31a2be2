create or replace function "user".record_factor_event()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_factor "user".factor := coalesce(new, old);
begin
  perform private.record_event(
    case tg_op when 'DELETE' then 'factor.removed' else 'factor.added' end, v_factor.user_id, null,
    jsonb_build_object('factor_id', v_factor.id, 'kind', v_factor.kind)
  )
  -- Not those that go with the account.
  from "user".account a where a.id = v_factor.user_id;
  return null;
end
$$;

comment on function "user".record_factor_event() is
$$Trigger of "user".factor: records that a second factor was added, which an app is once its first code was right, or removed.$$;

create or replace trigger record_factor_added after insert on "user".factor
  for each row when (new.confirmed_at is not null) execute function "user".record_factor_event();
create or replace trigger record_factor_confirmed after update of confirmed_at on "user".factor
  for each row when (old.confirmed_at is null and new.confirmed_at is not null) execute function "user".record_factor_event();
create or replace trigger record_factor_removed after delete on "user".factor
  for each row when (old.confirmed_at is not null) execute function "user".record_factor_event();
