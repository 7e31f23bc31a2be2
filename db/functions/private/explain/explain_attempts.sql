create or replace function private.explain_attempts(otp_id uuid)
returns setof platform.delivery_event
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select
    a.started_at,
    format(case a.outcome
      when 'sent' then '%s accepted the message (%s).'
      when 'refused' then '%s refused to send this message to this recipient (%s).'
      when 'declined' then '%s declined to send (%s), for reasons of its own: credentials, balance or too many messages.'
      when 'unreachable' then '%s could not be reached (%s): the message was not sent.'
      when 'uncertain' then '%s gave no clear answer (%s): the message was perhaps sent.'
      else '%s was given the message (%s) and has not answered yet.'
    end, a.provider, a.channel),
    a.otp_id,
    concat_ws(
      '; ', 'route: ' || a.route, 'vendor''s error: ' || a.vendor_error, 'vendor''s message id: ' || a.vendor_message_id, 'our id: ' || a.id,
      'took ' || a.duration_ms || ' ms', 'price: ' || a.price || coalesce(' ' || a.currency, '')
    )
  from platform.delivery_attempt a where a.otp_id = explain_attempts.otp_id
  union all
  select
    a.receipt_at,
    format(case a.receipt
      when 'delivered' then '%s reports that the message was delivered (%s).'
      else '%s reports that the message was not delivered (%s).'
    end, a.provider, a.channel),
    a.otp_id,
    nullif(concat_ws('; ', 'vendor''s error: ' || a.receipt_error, 'vendor''s message id: ' || a.vendor_message_id), '')
  from platform.delivery_attempt a where a.otp_id = explain_attempts.otp_id and a.receipt is not null
$$;

comment on function private.explain_attempts(uuid) is
$$The attempts to send a one-time password, and what the vendors' delivery receipts said, as events.$$;
