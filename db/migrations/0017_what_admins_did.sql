-- Wrong admin secrets are counted, and an account remembers that it was disabled after an admin has enabled it again.
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('ADMIN_FAILURES_PER_IP', 'limit', '"30/900"', null, null, 'Wrong admin secrets of one client; the right one works all the same');
insert into settings.configuration (key, value) values ('ADMIN_FAILURES_PER_IP', '"30/900"');

alter table "user".account
  add was_disabled_at timestamptz,
  add was_disabled_reason text,
  add enabled_at timestamptz,
  add constraint account_was_disabled_before_enabled
    check (num_nulls(was_disabled_at, was_disabled_reason, enabled_at) in (0, 3));
comment on column "user".account.was_disabled_at is
  'When an admin disabled it before it was enabled again the last time; null: it never was';
comment on column "user".account.was_disabled_reason is 'Why, for other admins';
comment on column "user".account.enabled_at is 'When an admin enabled it again the last time';
