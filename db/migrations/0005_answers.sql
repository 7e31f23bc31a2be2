-- What functions answer with. Types live here and not beside the functions: re-creating one would kill calls in flight.
-- A new attribute comes by "alter type … add attribute" in a later migration.
create type api.error as (code text, details jsonb);
comment on type api.error is 'Why a call is refused: a code of the error catalog, and details for the client. Made by private.error.';

create type api.answer as (error api.error);
comment on type api.answer is 'The answer of a call that returns nothing. As in every answer, error is null when the call succeeded.';

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
comment on type api.session_answer is 'A session with the ids (jti) and ends of the tokens that the shell is to sign';

create type api.otp_answer as (
  error api.error,
  otp_id uuid,
  expires_at timestamptz,
  wait_seconds integer
);
comment on type api.otp_answer is 'A one-time password; wait_seconds: how long to wait for its delivery, null: not at all';

create type api.account_answer as (error api.error, user_id uuid);
comment on type api.account_answer is 'A registration';

create type delivery.message as (
  otp_id uuid,
  provider text,
  options jsonb,
  recipient text,
  body text
);
comment on type delivery.message is 'An SMS to send now. The body holds the code: it exists here and at the vendor, nowhere else';

create type private.rate_limit_rule as (policy text, key text, requests integer, period interval);
comment on type private.rate_limit_rule is 'At most so many requests of this key in any such period';

create type private.rate_limit_verdict as (
  policy text,
  requests integer,
  period interval,
  wait interval,
  taken_at timestamptz
);
comment on type private.rate_limit_verdict is 'Refused: policy and wait say by which rule and for how long. Allowed: wait is null, taken_at is what was counted';
