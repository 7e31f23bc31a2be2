alter table private.signing_key add column opened_at timestamptz;
comment on column private.signing_key.opened_at is
  'When a server first opened it with its KEY_ENCRYPTION_KEY (startup.confirm_signing_keys); null: none has, so that it should not sign';
