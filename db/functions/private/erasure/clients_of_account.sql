create or replace function private.clients_of_account(account "user".account)
returns text[]
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg(distinct c.client), '{}')
  from (
    select k.client from private.known_client k where k.account_id = account.id
    union all
    select s.client from "user".session s where s.user_id = account.id
    union all
    select s.client
    from platform.guest_promotion g
    join "user".session s on s.id = g.guest_session_id
    where g.user_id = account.id
    union all
    select d.client
    from platform.send_decision d
    where d.otp_id = any (private.otps_of_account(account))
  ) c (client)
  where c.client <> ''
$$;

comment on function private.clients_of_account("user".account) is
$$The client addresses that rows of an account name, as limits count them: those it signed in from, and asked for codes from.$$;
