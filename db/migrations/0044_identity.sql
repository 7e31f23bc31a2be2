-- What an application's own policies, defaults and functions ask about the caller.
create schema latchkey;
comment on schema latchkey is 'Who is signed in, for policies, defaults and functions of the application''s own tables.';
grant usage on schema latchkey to latchkey_guest, latchkey_user, latchkey_admin, latchkey_application, latchkey_graphql;

alter table private.installation
  add column identity_key bytea not null default crypto.gen_random_bytes(32),
  add column token_issuer text;
comment on column private.installation.identity_key is
  'Signs the claims of a transaction (private.seal_identity), so that no other function can set them. A new key only ends the transactions that run';
comment on column private.installation.token_issuer is
  'JWT_ISSUER of the server that started last; null before the first start. Claims of another issuer name nobody';
