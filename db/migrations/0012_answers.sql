-- What the functions of schema api return. Types live here and not beside the functions: dropping and recreating a type would
-- break calls in flight. A later migration adds an attribute by "alter type … add attribute".
create type api.error as (code text, details jsonb);
comment on type api.error is 'Why a call is refused: a code of the error catalog, and details for the client. Made by private.error only';

create type api.answer as (error api.error);
comment on type api.answer is 'The answer of a call that returns nothing. As in every answer, error is null when the call succeeded';

create type api.session_answer as (
  error api.error,
  session_id uuid,
  user_id uuid,
  user_type text,
  role text,
  access_token_id uuid,
  access_token_expires_at timestamptz,
  refresh_token_id uuid,
  refresh_token_expires_at timestamptz,
  amr text[],
  authenticated_at timestamptz,
  promoted_session_id uuid,
  restored boolean
);
comment on type api.session_answer is
  'A session, with the ids (jti) and expiry of the tokens that the server signs for it. promoted_session_id: the guest session that it '
  'replaces. restored: signing in has undone the account''s deletion';

create type api.otp_answer as (
  error api.error,
  otp_id uuid,
  expires_at timestamptz,
  wait_seconds integer
);
comment on type api.otp_answer is 'A one-time password; wait_seconds: how long to wait for its delivery, null: not at all';

create type api.account_answer as (error api.error, user_id uuid);
comment on type api.account_answer is 'A registration';

create type api.readiness_answer as (error api.error, failed text[]);
comment on type api.readiness_answer is 'The names of what is not ready, in alphabetical order; empty when everything is';

create type api.caller_answer as (
  error api.error,
  session_id uuid,
  user_type text,
  role text,
  user_id uuid,
  phone text,
  email text,
  created_at timestamptz,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  deletion_due_at timestamptz
);
comment on type api.caller_answer is
  'The caller''s session and account. deletion_due_at: when the account will be deleted; null: it will not, or there is none';

create type api.session_list_answer as (error api.error, sessions private.listed_session[]);
comment on type api.session_list_answer is 'Live sessions of a user, the newest first';

create type api.revocation_answer as (error api.error, revoked integer);
comment on type api.revocation_answer is 'How many sessions a call revoked';

create type api.deletion_answer as (error api.error, deletion_due_at timestamptz);
comment on type api.deletion_answer is 'A deletion that its owner asked for; deletion_due_at: until then a login undoes it';

create type api.export_answer as (error api.error, export jsonb);
comment on type api.export_answer is 'What is stored about an account (private.export_account)';

create type private.password_check as (error api.error, is_right boolean, counted_at timestamptz);
comment on type private.password_check is
  'Whether a password is an account''s. error: why the request is refused. is_right: only known until private.settle_password. counted_at: the '
  'moment at which the limits counted a right one';
