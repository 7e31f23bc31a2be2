-- An import keeps the ids by which other systems know a user.

alter table "user".account add column external_id text,
  add constraint account_external_id_has_content check (external_id ~ '^[!-~]{1,255}$');
comment on column "user".account.external_id is
  'The user''s id in the system that the account was imported from (1 to 255 printable ASCII characters); null where it was not given';
create unique index account_external_id on "user".account (external_id) where external_id is not null;

alter type private.imported_user add attribute id uuid, add attribute external_id text;

create type private.import_outcome as (outcome text, id uuid);
comment on type private.import_outcome is
  'What became of a line of an import: imported; present: the same line was imported before; phone_taken, id_taken, external_id_taken: '
  'another account has it. id: the account''s; null where the line was refused';
