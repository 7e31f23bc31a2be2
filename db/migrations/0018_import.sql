-- Users of another system, with the password hashes of its scheme.
alter table "user".account
  add column foreign_parameters text,
  add column import_fingerprint bytea,
  add constraint account_foreign_parameters_have_a_hash check (foreign_parameters is null or password_hash is not null),
  add constraint account_foreign_parameters_are_short check (length(foreign_parameters) <= 1000);
comment on column "user".account.password_hash is
  'bcrypt of the keyed pre-hash that the shell sends: of the password, or of an imported hash where foreign_parameters is not null. Null: '
  'a contested registration was verified, or the admin or an import made the account, and a reset sets the password';
comment on column "user".account.foreign_parameters is
  'The scheme, costs and salt of an imported hash, without the hash, until the first login: the shell computes the hash of a typed '
  'password by them. Null: the password is stored in the native way';
comment on column "user".account.import_fingerprint is
  'Keyed fingerprint of the line that the account was imported from, which is skipped when the import runs again; null: it was not imported';
create unique index account_import_fingerprint on "user".account (import_fingerprint) where import_fingerprint is not null;

create type private.stored_password as (password_hash text, foreign_parameters text);
comment on type private.stored_password is 'What a typed password is compared with: columns of "user".account';

create type private.imported_user as (
  phone text, email text, foreign_prehash text, foreign_parameters text, created_at timestamptz, fingerprint bytea
);
comment on type private.imported_user is
  'A valid line of an import. foreign_prehash: keyed pre-hash of the imported hash, and null, like foreign_parameters, where the line has none';
