create or replace function delivery.clean_up(step integer, page bigint)
returns delivery.clean_up_progress
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Few enough for a slice to hold its locks for milliseconds.
  c_pages constant integer := 128;
  v_first bigint := clean_up.page;
  v_end bigint := clean_up.page + c_pages;
  v_table regclass;
begin
  case clean_up.step
    when 1 then v_table := 'platform.rate_limit'; perform private.clean_up_rate_limits(v_first, v_end);
    -- Before the one-time passwords: see private.send_client_lifetime().
    when 2 then v_table := 'platform.send_decision'; perform private.clean_up_send_decisions(v_first, v_end);
    when 3 then v_table := '"user".session'; perform private.clean_up_sessions(v_first, v_end);
    when 4 then v_table := 'private.pending_registration'; perform private.clean_up_pending_registrations(v_first, v_end);
    when 5 then v_table := 'private.known_client'; perform private.clean_up_known_clients(v_first, v_end);
    when 6 then v_table := 'private.guess_count'; perform private.clean_up_guess_counts(v_first, v_end);
    when 7 then v_table := 'private.verification_state'; perform private.clean_up_verification_states(v_first, v_end);
    when 8 then v_table := 'platform.otp_transaction'; perform private.clean_up_otp_transactions(v_first, v_end);
    when 9 then v_table := 'private.send_count'; perform private.clean_up_send_counts(v_first, v_end);
    when 10 then v_table := 'graphile_worker._private_jobs'; perform private.clean_up_failed_jobs(v_first, v_end);
    when 11 then v_table := 'private.earlier_phone'; perform private.clean_up_earlier_phones(v_first, v_end);
    when 12 then
      if private.erase_due_account(v_first) then
        return row(12, v_first)::delivery.clean_up_progress;
      end if;
      return row(13, 0)::delivery.clean_up_progress;
    when 13 then
      if private.mark_ended_sessions() then
        return row(13, 0)::delivery.clean_up_progress;
      end if;
      return row(14, 0)::delivery.clean_up_progress;
    else return row(null, null)::delivery.clean_up_progress;
  end case;

  if v_end * current_setting('block_size')::bigint < pg_relation_size(v_table) then
    return row(clean_up.step, v_end)::delivery.clean_up_progress;
  end if;
  return row(clean_up.step + 1, 0)::delivery.clean_up_progress;
end
$$;

comment on function delivery.clean_up(integer, bigint) is
$$Deletes expired rows, one slice of pages of one table per call, so that every transaction is short.
The worker calls it once an hour from step 1, page 0, each time with the progress that the previous call returned, until step is null.
step: 1 to 11, a table; 12, the accounts whose deletion is due, one per call; 13, sessions that ended with all of their user's. page: the first
page to read; in step 12, how many accounts to skip, because their erasure failed. Result: where to continue.$$;
grant execute on function delivery.clean_up(integer, bigint) to latchkey_worker;
