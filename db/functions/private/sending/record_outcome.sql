create or replace function private.record_outcome(otp platform.otp_transaction, outcome text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform private.record_event(
    case record_outcome.outcome when 'sent' then 'otp.sent' else 'otp.send_failed' end,
    coalesce(otp.account_id, (private.usable_account(otp.identifier)).id), null,
    jsonb_build_object(
      'otp_id', otp.id, 'purpose', otp.purpose, 'outcome', case when record_outcome.outcome <> 'sent' then record_outcome.outcome end
    )
  );
end
$$;

comment on function private.record_outcome(platform.otp_transaction, text) is
$$Records what became of a code's message: otp.sent or otp.send_failed. outcome: as private.settle_delivery; cancelled: nobody waits for it any more.$$;
