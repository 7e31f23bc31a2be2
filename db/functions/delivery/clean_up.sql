create or replace function delivery.clean_up(step integer, page bigint)
returns delivery.clean_up_progress
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Few enough for a slice to hold its locks for milliseconds.
  c_pages constant integer := 128;
  v_step integer := coalesce(clean_up.step, 1);
  v_end_page bigint := coalesce(clean_up.page, 0) + c_pages;
  v_first tid := format('(%s,0)', coalesce(clean_up.page, 0))::tid;
  v_end tid := format('(%s,0)', v_end_page)::tid;
  v_before timestamptz;
  -- Which rows t of the table the step deletes, as SQL; $3 is v_before. Null: it has deleted them itself.
  v_is_over text;
  v_table regclass;
  v_rows tid[];
  v_row tid;
begin
  case v_step
    when 1 then
      v_table := 'platform.rate_limit';
      v_before := clock_timestamp() - private.rate_limit_retention();
      v_is_over := 'coalesce(t.hits[cardinality(t.hits)] < $3, true)';
    -- Before the one-time passwords: see private.send_client_lifetime().
    when 2 then
      v_table := 'platform.send_decision';
      v_before := clock_timestamp() - private.setting_period('SEND_DECISION_RETENTION_DAYS');
      delete from platform.send_decision doomed where doomed.ctid = any (array(
        select t.ctid from platform.send_decision t
        where t.ctid >= v_first and t.ctid < v_end
          and t.at < v_before
        for update skip locked
      ));
      v_before := clock_timestamp() - private.send_client_lifetime();
      update platform.send_decision aged set client = '' where aged.ctid = any (array(
        select t.ctid from platform.send_decision t
        where t.ctid >= v_first and t.ctid < v_end
          and t.at < v_before and t.client <> ''
        for update skip locked
      ));
    when 3 then
      v_table := '"user".session';
      v_before := clock_timestamp() - private.setting_period('SESSION_RETENTION_DAYS');
      v_rows := array(
        select t.ctid from "user".session t
        where t.ctid >= v_first and t.ctid < v_end
          and coalesce(t.revoked_at, t.refresh_token_expires_at) < v_before
        for update skip locked
      );
      begin
        delete from "user".session doomed where doomed.ctid = any (v_rows);
      exception
        -- A table of the application references one of them, without "on delete": that one stays, and only that one.
        when foreign_key_violation then
          foreach v_row in array v_rows loop
            begin
              delete from "user".session doomed where doomed.ctid = v_row;
            exception
              when foreign_key_violation then null;
            end;
          end loop;
      end;
    when 4 then
      v_table := 'private.pending_registration';
      -- Longer than private.registration_lifetime(): until it is deleted, a registration shows a contest.
      v_before := clock_timestamp() - interval '30 days';
      v_is_over := 't.registered_at < $3';
    when 5 then
      v_table := 'private.known_client';
      v_before := clock_timestamp() - private.known_client_lifetime();
      v_is_over := 't.logged_in_at < $3';
    when 6 then
      v_table := 'private.guess_count';
      v_before := clock_timestamp() - private.setting_period('OTP_TTL_SECONDS');
      v_is_over := 't.first_guess_at < $3';
    when 7 then
      v_table := 'private.verification_state';
      v_before := clock_timestamp() - private.verification_state_lifetime();
      v_is_over := 'coalesce(greatest(t.failed_at, t.known_client_failed_at), ''-infinity'') < $3';
    when 8 then
      v_table := 'platform.otp_transaction';
      v_before := clock_timestamp() - private.setting_period('OTP_RETENTION_DAYS');
      v_is_over := 't.created_at < $3';
    when 9 then
      v_table := 'private.send_count';
      v_before := clock_timestamp() - private.setting_period('SEND_DECISION_RETENTION_DAYS');
      -- The fraud rules read of a client the usual days, and the one that they are compared with.
      v_is_over := 't.starts_at < case when t.subject like ''client:%'' then clock_timestamp() - make_interval(days => fraud.usual_days() + 1) else $3 end';
    when 10 then
      v_table := 'graphile_worker._private_jobs';
      v_before := clock_timestamp() - private.setting_period('FAILED_JOB_RETENTION_DAYS');
      -- The library deletes a job by completing it, and would wait for a row that somebody holds: so the rows are
      -- locked first.
      perform graphile_worker.complete_jobs(array(
        select t.id from graphile_worker._private_jobs t
        where t.ctid >= v_first and t.ctid < v_end
          -- A job that runs has already counted this attempt: it is locked.
          and t.attempts >= t.max_attempts and t.locked_at is null
          and greatest(t.updated_at, t.run_at) < v_before
        for update skip locked
      ));
    when 11 then
      v_table := 'private.earlier_phone';
      v_before := clock_timestamp() - private.earlier_phone_lifetime();
      v_is_over := 'greatest(t.held_until, t.asked_at) < $3';
    when 12 then
      v_table := 'private.factor_challenge';
      v_before := clock_timestamp();
      v_is_over := 't.expires_at < $3';
    when 13 then
      v_table := '"user".factor';
      v_before := clock_timestamp() - private.enrolment_lifetime();
      v_is_over := 't.confirmed_at is null and t.created_at < $3';
    when 14 then
      v_table := '"user".invitation';
      v_before := clock_timestamp();
      v_is_over := 't.valid_until < $3';
    when 15 then
      v_table := 'private.used_proof';
      v_before := clock_timestamp() - private.proof_lifetime();
      v_is_over := 't.used_at < $3';
    when 16 then
      if private.mark_ended_sessions() then
        return row(16, 0)::delivery.clean_up_progress;
      end if;
      return row(17, 0)::delivery.clean_up_progress;
    when 17 then
      if private.apply_next_phone_change() then
        return row(17, 0)::delivery.clean_up_progress;
      end if;
      return row(18, 0)::delivery.clean_up_progress;
    when 18 then
      perform private.keep_event_partitions();
      return row(19, 0)::delivery.clean_up_progress;
    when 19 then
      if private.end_event_deliveries() then
        return row(19, 0)::delivery.clean_up_progress;
      end if;
      return row(null, null)::delivery.clean_up_progress;
  end case;

  if v_is_over is not null then
    execute format(
      'delete from %1$s doomed where doomed.ctid = any (array(
         select t.ctid from %1$s t where t.ctid >= $1 and t.ctid < $2 and %2$s for update skip locked
       ))',
      v_table, v_is_over
    ) using v_first, v_end, v_before;
  end if;
  if v_end_page * current_setting('block_size')::bigint < pg_relation_size(v_table) then
    return row(v_step, v_end_page)::delivery.clean_up_progress;
  end if;
  return row(v_step + 1, 0)::delivery.clean_up_progress;
end
$$;

comment on function delivery.clean_up(integer, bigint) is
$$Deletes expired rows, one slice of pages of one table per call, so that every transaction is short. Skips locked rows, which the next run
finds again, and sessions that a table of the application references without "on delete". The last steps mark sessions that ended with all of their user's (private.mark_ended_sessions),
apply changes of phone that are due (private.apply_next_phone_change), make and drop months of events (private.keep_event_partitions), and give up
webhooks that waited for a day (private.end_event_deliveries).
The worker calls it once an hour, first with nulls and then with the progress that the previous call returned, until step is null.
step: the table, by its number here. page: the first page to read. Result: where to continue.$$;
grant execute on function delivery.clean_up(integer, bigint) to latchkey_worker;
