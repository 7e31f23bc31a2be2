create or replace function private.is_copy(factor "user".factor, attempt private.passkey_attempt)
returns boolean
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Two zeros: it does not count, as those that are copied to other devices by design.
  return coalesce(
    attempt.is_signed and factor.sign_count > 0 and (private.signed_passkey(attempt.authenticator_data)).sign_count <= factor.sign_count, false
  );
end
$$;

comment on function private.is_copy("user".factor, private.passkey_attempt) is
$$Whether a passkey's counter goes back, so that there may be a copy of it (WebAuthn, section 6.1.1). factor: all null where there is none.$$;
