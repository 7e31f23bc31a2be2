create or replace function private.export_account(user_id uuid)
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 500;
  v_account "user".account;
  v_failures private.verification_state;
  v_lists jsonb;
  v_shortened jsonb;
begin
  select a.* into v_account from "user".account a where a.id = export_account.user_id;
  select s.* into v_failures from private.verification_state s where s.identifier_type = 'PHONE' and s.identifier = v_account.phone;

  -- One row more than is shown tells whether a list was shortened.
  select jsonb_object_agg(l.name, l.shown), coalesce(jsonb_agg(l.name order by l.name) filter (where l.found > c_most), '[]')
  into v_lists, v_shortened
  from (
    select n.name, count(r.n) as found, coalesce(jsonb_agg(r.content order by r.n) filter (where r.n <= c_most), '[]') as shown
    from unnest(array[
      'sessions', 'one_time_passwords', 'delivery_attempts', 'send_decisions', 'known_clients', 'guest_sessions', 'rate_limits',
      'wrong_codes', 'earlier_phones', 'factors', 'events'
    ]) n (name)
    left join private.export_rows(v_account, c_most + 1) r on r.section = n.name
    group by n.name
  ) l;

  return jsonb_build_object(
    'account', jsonb_build_object(
      'user_id', v_account.id, 'external_id', v_account.external_id, 'phone', v_account.phone, 'email', v_account.email, 'email_verified_at', v_account.email_verified_at,
      'has_password', v_account.password_hash is not null,
      'phone_verified_at', v_account.phone_verified_at, 'created_at', v_account.created_at, 'updated_at', v_account.updated_at,
      'last_used_on', v_account.last_used_on,
      'phone_change', (
        select jsonb_build_object('phone', r.phone, 'asked_at', r.asked_at, 'due_at', r.due_at)
        from private.phone_recovery r where r.account_id = v_account.id
      )
    ),
    'wrong_codes_in_a_row', coalesce(v_failures.failures, 0),
    'shortened', v_shortened
  ) || v_lists;
end
$$;

comment on function private.export_account(uuid) is
$$What is stored about a user (GDPR articles 15 and 20): the account, and lists of the newest 500 rows each; "shortened" names the lists
that have more. Every list is read by an index. user_id: of an account.$$;
