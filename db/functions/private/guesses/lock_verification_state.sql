create or replace function private.lock_verification_state(identifier_type text, identifier text)
returns private.verification_state
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state private.verification_state;
begin
  loop
    select s.* into v_state
    from private.verification_state s
    where s.identifier_type = lock_verification_state.identifier_type and s.identifier = lock_verification_state.identifier
    for update;
    exit when found;
    -- A loop, because another transaction may insert the row between the two statements, or the clean-up delete it.
    insert into private.verification_state as s (identifier_type, identifier)
    values (lock_verification_state.identifier_type, lock_verification_state.identifier)
    on conflict on constraint verification_state_pkey do nothing
    returning s.* into v_state;
    exit when found;
  end loop;
  return v_state;
end
$$;

comment on function private.lock_verification_state(text, text) is
$$The state of an identifier's verifications, locked until the transaction ends: guesses at its codes and registrations of it run one after
another. Taken before every other lock. identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email.$$;
