-- Comments that named the server by another word, or left something out.
comment on type api.session_answer is
  'A session, with the ids (jti) and expiry of the tokens that the server signs for it. promoted_session_id: the guest session that it '
  'replaces. restored: signing in has undone the account''s deletion';
comment on column "user".account.password_hash is
  'bcrypt of the keyed pre-hash that the server sends: of the password, or of an imported hash where foreign_parameters is not null. Null: '
  'a contested registration was verified, or the admin or an import made the account, and a reset sets the password';
comment on column "user".account.foreign_parameters is
  'The scheme, costs and salt of an imported hash, without the hash, until the first login: the server computes the hash of a typed '
  'password by them. Null: the password is stored in the native way';
comment on column "user".session.previous_refresh_token_id is
  'The refresh token that was replaced at rotated_at: it still refreshes within REFRESH_REUSE_GRACE_SECONDS; what its later use leads to, '
  'REFRESH_REUSE_POLICY says';
comment on type platform.limit_state is
  'What a limit has counted for a phone, an email address, a client or a user''s id (platform.limits_of). policy: the setting; client: the '
  'purpose of the codes, the address that is counted together with it, or both; null: it is counted alone. counted: of requests, within '
  'period_seconds. blocked_until: when there is room again; null: there is room now';
comment on schema migration is 'What db:migrate has applied. Only the migrator writes it.';
