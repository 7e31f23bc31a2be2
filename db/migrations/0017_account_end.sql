-- Accounts that are disabled, or deleted by their owners.
alter table "user".account
  add column disabled_at timestamptz,
  add column disabled_reason text constraint account_disabled_reason_is_short check (length(disabled_reason) <= 1000),
  add column deletion_due_at timestamptz,
  add constraint account_disabled_has_a_reason check ((disabled_at is null) = (disabled_reason is null));
comment on column "user".account.disabled_at is 'When an admin disabled it: nobody can sign in to it; null: it is not disabled';
comment on column "user".account.disabled_reason is 'Why, for other admins; null: it is not disabled';
comment on column "user".account.deletion_due_at is
  'When it is deleted, because its owner asked for that: until then a login restores it, from then on nobody can sign in to it and the '
  'clean-up erases it; null: it is not to be deleted';

-- The clean-up finds the accounts to erase, an erasure the other accounts with the same email and the decisions about one address.
create index account_deletion_due_at on "user".account (deletion_due_at) where deletion_due_at is not null;
create index account_email on "user".account (email) where email is not null;
create index send_decision_client on platform.send_decision (client);
comment on column platform.send_decision.client is 'Client address, as limits count it; empty: erased with the account';

alter type api.session_answer add attribute restored boolean;
comment on type api.session_answer is
  'A session, with the ids (jti) and expiry of the tokens that the shell signs for it. promoted_session_id: the guest session that it '
  'replaces. restored: signing in has undone the account''s deletion';

create type api.deletion_answer as (error api.error, deletion_due_at timestamptz);
comment on type api.deletion_answer is 'A deletion that its owner asked for; deletion_due_at: until then a login undoes it';

create type api.export_answer as (error api.error, export jsonb);
comment on type api.export_answer is 'What is stored about an account (private.export_account)';

insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('ACCOUNT_DELETION_GRACE_SECONDS', 'integer', '1209600', 0, 31536000,
   'How long after DELETE /auth/account a login still restores the account, seconds; 0: never'),
  ('EXPORTS_PER_USER', 'limit', '"5/3600"', null, null, 'GET /auth/account/export, per user');
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d
where d.key in ('ACCOUNT_DELETION_GRACE_SECONDS', 'EXPORTS_PER_USER');
