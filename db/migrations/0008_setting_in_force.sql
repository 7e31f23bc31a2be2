create view private.setting_in_force with (security_invoker) as
  select d.key, coalesce(c.value, d.default_value) as value
  from private.setting_definition d
  left join settings.configuration c on c.key = d.key;
comment on view private.setting_in_force is
  'What every setting is now: the stored value, else the default. Read with the rights of whoever reads.';

-- One check for three: PostgreSQL prepares each anew at every insert.
alter table "user".session
  drop constraint session_user_type_is_known,
  drop constraint session_role_is_its_user_type,
  drop constraint session_of_a_guest_has_no_user,
  add constraint session_of_a_guest_has_no_user
    check (user_type = case when user_id is null then 'guest' else 'user' end and role = user_type);
