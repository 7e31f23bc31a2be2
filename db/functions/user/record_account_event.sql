create or replace function "user".record_account_event()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account := coalesce(new, old);
  v_most integer := private.most_factor_failures();
begin
  perform private.record_event(e.type, v_account.id, null, coalesce(e.data, '{}'))
  from (values
    ('account.verified', tg_op = 'INSERT', null),
    ('account.erased', tg_op = 'DELETE', null),
    ('account.disabled', tg_op = 'UPDATE' and old.disabled_at is null and new.disabled_at is not null, null),
    ('account.enabled', tg_op = 'UPDATE' and old.disabled_at is not null and new.disabled_at is null, null),
    ('account.deleted', tg_op = 'UPDATE' and old.deletion_due_at is null and new.deletion_due_at is not null,
      jsonb_build_object('due_at', new.deletion_due_at)),
    ('account.restored', tg_op = 'UPDATE' and old.deletion_due_at is not null and new.deletion_due_at is null, null),
    ('phone.changed', tg_op = 'UPDATE' and new.phone is distinct from old.phone, jsonb_build_object(
      'is_removed', nullif(new.phone is null, false), 'is_renumbered', nullif(private.current_number(old.phone) = new.phone, false)
    )),
    ('email.removed', tg_op = 'UPDATE' and old.email is not null and new.email is null, null),
    ('email.changed', tg_op = 'UPDATE' and new.email is not null and (old.email, old.email_verified_at) is distinct from (new.email, new.email_verified_at),
      jsonb_build_object('is_verified', new.email_verified_at is not null)),
    ('factor.locked', tg_op = 'UPDATE' and old.factor_failures < v_most and new.factor_failures >= v_most, null),
    ('factor.unlocked', tg_op = 'UPDATE' and old.factor_failures >= v_most and new.factor_failures < v_most, null)
  ) e (type, has_happened, data)
  where e.has_happened;
  return null;
end
$$;

comment on function "user".record_account_event() is
$$Trigger of "user".account: records what became of an account, whoever changed its row.$$;

create or replace trigger record_account_event after insert or delete on "user".account
  for each row execute function "user".record_account_event();
create or replace trigger record_account_change
  after update of phone, email, email_verified_at, disabled_at, deletion_due_at, factor_failures on "user".account
  for each row when (
    -- Not as two rows: of these pg_restore makes another expression, which the next migration would repair.
    old.phone is distinct from new.phone
    or old.email is distinct from new.email
    or old.email_verified_at is distinct from new.email_verified_at
    or old.disabled_at is distinct from new.disabled_at
    or old.deletion_due_at is distinct from new.deletion_due_at
    or old.factor_failures is distinct from new.factor_failures
  )
  execute function "user".record_account_event();
