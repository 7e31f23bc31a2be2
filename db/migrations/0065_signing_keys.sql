create table private.signing_key (
  kid text primary key,
  algorithm text not null constraint signing_key_algorithm_is_known check (algorithm in ('ES256', 'RS256')),
  state text not null constraint signing_key_state_is_known check (state in ('next', 'current', 'retired')),
  sealed_key bytea not null,
  encryption_key_id text not null,
  created_at timestamptz not null,
  verifies_until timestamptz,
  constraint signing_key_ends_once_retired check ((state = 'retired') = (verifies_until is not null))
);
create unique index signing_key_is_next_or_current_once on private.signing_key (state) where state <> 'retired';
alter table private.signing_key enable row level security;
comment on table private.signing_key is
  'Keys that sign tokens (npm run keys): the current one signs, all are published and verify. Row-level security keeps every role but the owner away; the server reads '
  'them through startup.signing_keys.';
comment on column private.signing_key.kid is 'As in the header of a token and in /.well-known/jwks.json';
comment on column private.signing_key.algorithm is 'ES256 or RS256';
comment on column private.signing_key.state is 'next: published, and does not sign yet; current; retired: verifies what it has signed';
comment on column private.signing_key.sealed_key is 'The private JWK, encrypted (AES-256-GCM) under a key derived from KEY_ENCRYPTION_KEY, for this kid alone';
comment on column private.signing_key.encryption_key_id is 'Which KEY_ENCRYPTION_KEY it is encrypted under';
comment on column private.signing_key.created_at is 'Since when it is published';
comment on column private.signing_key.verifies_until is 'When the last token that it has signed ends; null: it is not retired';
