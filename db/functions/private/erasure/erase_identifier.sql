create or replace function private.erase_identifier(identifier_type text, identifier text)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from platform.otp_transaction o where o.identifier = erase_identifier.identifier order by o.id for update;
  perform private.erase_rate_limits(erase_identifier.identifier);
  delete from platform.otp_transaction o where o.identifier = erase_identifier.identifier;
  -- The invitation itself is another person's: one ends where its phone becomes an account's.
  update "user".invitation i set email = null where i.email = erase_identifier.identifier;
  delete from private.pending_registration r where r.phone = erase_identifier.identifier;
  delete from private.guess_count g
  where g.identifier_type = erase_identifier.identifier_type and g.identifier = erase_identifier.identifier;
  delete from private.verification_state s
  where s.identifier_type = erase_identifier.identifier_type and s.identifier = erase_identifier.identifier;
end
$$;

comment on function private.erase_identifier(text, text) is
$$Deletes every row and limit that holds a phone or an email address, accounts and invited phones excepted. Their delivery attempts go with one-time
passwords. identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email, whose row of private.verification_state the caller
holds.$$;
