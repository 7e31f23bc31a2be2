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
  refresh_token_expires_at timestamptz
);
comment on type api.session_answer is 'A session, with the ids (jti) and expiry of the tokens that the shell signs for it';

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
