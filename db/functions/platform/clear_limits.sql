create or replace function platform.clear_limits(subject text)
returns setof platform.rate_limit
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_subject text := private.current_number(clear_limits.subject);
  v_type text := case when v_subject like '%@%' then 'EMAIL' else 'PHONE' end;
  v_cleared platform.rate_limit[];
begin
  -- Locked first, as everywhere, although there may be no such row yet: otherwise this and a password reset could each
  -- hold a limit that the other one waits for. Not for addresses of clients and ids of users, which have no codes.
  if v_subject like any (array['+%', '%@%']) then
    perform private.lock_verification_state(v_type, v_subject);
  end if;
  v_cleared := array(select l from private.rate_limits_of(v_subject) l);
  perform private.erase_rate_limits(v_subject);
  delete from private.guess_count g where g.identifier_type = v_type and g.identifier = v_subject;
  update private.verification_state s
  set failures = 0, failed_at = null, known_client_failures = 0, known_client_failed_at = null
  where s.identifier_type = v_type and s.identifier = v_subject;
  perform private.record_event(
    'admin.acted', (select a.id from "user".account a where a.phone = v_subject), null,
    jsonb_build_object('action', 'clear_limits', 'rows', cardinality(v_cleared))
  );
  return query select l.* from unnest(v_cleared) l;
end
$$;

comment on function platform.clear_limits(text) is
$$Mutation clear_limits: the admin clears the limits of a phone, an email address, a client's address or a user's id. Deletes what every
limit has counted for it, wrong codes included; a code that was blocked by wrong guesses stays blocked. subject: as limits_of. Result: the
windows that were deleted, at most 100 per limit.$$;
grant execute on function platform.clear_limits(text) to latchkey_admin;
