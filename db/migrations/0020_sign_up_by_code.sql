-- The right LOGIN code for a phone without an account opens one.
alter type api.session_answer add attribute created boolean;
comment on type api.session_answer is
  'A session, with the ids (jti) and expiry of the tokens that the server signs for it. promoted_session_id: the guest session that it '
  'replaces. restored: signing in has undone the account''s deletion. created: signing in has opened the account (api.log_in_by_otp)';

insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('SIGNUP_BY_CODE', 'on or off', '"on"', null, null,
   'Whether a LOGIN code opens an account for a phone without one (POST /auth/login/otp)');
insert into settings.configuration (key, value) values ('SIGNUP_BY_CODE', '"on"');
update private.setting_definition set description = 'Registrations by one client, and accounts that it opens by LOGIN codes'
where key = 'REGISTER_PER_IP';

comment on column "user".account.password_hash is
  'bcrypt of the keyed pre-hash that the server sends: of the password, or of an imported hash where foreign_parameters is not null. Null: '
  'a LOGIN code opened the account, a contested registration was verified, or the admin or an import made it; a reset sets one, or POST '
  '/auth/password soon after a sign-in';
