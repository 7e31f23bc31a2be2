-- The server logs which code a reset has requested, so that its log and the worker's can be followed by one id.

create type api.reset_request_answer as (error api.error, otp_id uuid);
comment on type api.reset_request_answer is
  'The one-time password of a reset, for the log alone: no client may see whether there is one; null where nothing is sent';
