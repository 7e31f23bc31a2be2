-- Who tries what from where: each route builds one and passes it on.
create type private.code_attempt as (
  identifier_type text,
  identifier text,
  purpose text,
  client text,
  code text,
  code_key bytea,
  account_id uuid
);
comment on type private.code_attempt is
  'A code that somebody types. identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email. purpose: of the code. client: address '
  'as limits count it. code: as typed. code_key: 32 bytes, of the server. account_id: that of the caller for a PHONE_CHANGE code, which is '
  'valid for no other account; null for other codes';

create type private.password_attempt as (phone text, client text, password_prehash text, foreign_prehash text);
comment on type private.password_attempt is
  'A password that somebody types. phone: E.164, which failures count against. client: address as limits count it. password_prehash: the '
  'server''s keyed pre-hash. foreign_prehash: the keyed pre-hash of its hash under the parameters of an imported one, once the server was '
  'asked for it (private.foreign_prehash_error); else null';

comment on type private.stored_password is
  'Used by no function any more. A later migration drops it: this one runs while calls of the version before it are in flight';
