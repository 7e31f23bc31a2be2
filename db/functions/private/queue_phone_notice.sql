create or replace function private.queue_phone_notice(account "user".account, languages text[])
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_lifetime constant interval := interval '1 day';
  v_id uuid := private.new_id();
  v_now timestamptz := clock_timestamp();
begin
  insert into platform.otp_transaction
    (id, identifier, identifier_type, purpose, account_id, awaited, delivery, created_at, expires_at, languages)
  values (
    v_id, account.phone, 'PHONE', 'PHONE_CHANGED', account.id, false, 'queued', v_now, v_now + c_lifetime, queue_phone_notice.languages
  );
  perform private.queue_send(v_id, null);
end
$$;

comment on function private.queue_phone_notice("user".account, text[]) is
$$Queues a notice, without a code, to the phone that an account had until now: the owner learns of a change that a stranger made. It counts
against no limit of sends, because only a change of phone sends it, once, and that needs a right code and a password.
account: the row as it was before. languages: of the request, the preferred one first.$$;
