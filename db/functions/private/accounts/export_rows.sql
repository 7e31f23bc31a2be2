create or replace function private.export_rows(account "user".account, most integer)
returns table (section text, n bigint, content jsonb)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with held as (
    select account.phone, account.phone_verified_at as since, 'infinity'::timestamptz as until
    union all
    select e.phone, greatest(account.created_at, lag(e.held_until) over (order by e.held_until)), e.held_until
    from private.earlier_phone e
    where e.account_id = account.id and e.held_until is not null
  ), otp as (
    select o.* from (
      (
        select o.*
        from held h
        cross join lateral (
          select o.* from platform.otp_transaction o
          where o.identifier = h.phone and o.identifier_type = 'PHONE' and o.created_at >= h.since and o.created_at <= h.until
            -- Not those of an account that would change to the phone.
            and (o.account_id is null or o.account_id = account.id)
          order by o.created_at desc limit export_rows.most
        ) o
      )
      union
      (
        select o.* from platform.otp_transaction o
        where o.identifier = account.email and o.identifier_type = 'EMAIL' and o.created_at >= account.email_verified_at
          and (o.account_id is null or o.account_id = account.id)
        order by o.created_at desc limit export_rows.most
      )
      union
      (
        select o.* from (select o.* from platform.otp_transaction o where o.account_id = account.id offset 0) o
        order by o.created_at desc limit export_rows.most
      )
    ) o
    order by o.created_at desc limit export_rows.most
  ), tried as (
    select account.phone as identifier, null::uuid as account_id
    union
    select account.email, null where account.email_verified_at is not null
    union
    -- Codes of a change of phone or email, which were sent to one that may be somebody else's.
    select o.identifier, o.account_id from otp o where o.account_id = account.id
  ), session as (
    -- "offset 0", here and above: otherwise an account with many old rows is read by the order, and everybody's newer
    -- rows with it.
    select s.* from (select s.* from "user".session s where s.user_id = account.id offset 0) s order by s.id desc limit export_rows.most
  ), own_client as (
    select k.client from private.known_client k where k.account_id = account.id
    union
    select s.client from "user".session s where s.user_id = account.id
  ), attempt as (
    select a.* from otp join platform.delivery_attempt a on a.otp_id = otp.id order by a.started_at desc limit export_rows.most
  ), decision as (
    select d.*, case when otp.account_id = account.id or d.client in (select c.client from own_client c) then d.client else '' end as own_client
    from otp join platform.send_decision d on d.otp_id = otp.id
    order by d.at desc limit export_rows.most
  ), client as (
    select k.* from private.known_client k where k.account_id = account.id order by k.logged_in_at desc limit export_rows.most
  ), promotion as (
    select g.* from platform.guest_promotion g where g.user_id = account.id order by g.promoted_at desc limit export_rows.most
  ), event as (
    select e.* from platform.event e where e.user_id = account.id order by e.id desc limit export_rows.most
  ), counted as (
    select split_part(l.key, ':', 1) as name, l.totals[cardinality(l.totals)] - l.totals[1] as requests, l.hits[cardinality(l.hits)] as last_at
    from platform.rate_limit l
    where l.key = any (array(
      select d.key || ':' || subject
      from private.setting_definition d, unnest(array[
        account.phone, account.id::text, case when account.email_verified_at is not null then private.counted_identifier(account.email) end
      ]) subject
      where d.kind in ('limit', 'limit or off')
    ))
  )
  select 'sessions', row_number() over (order by s.id desc), jsonb_build_object(
    'session_id', s.id, 'created_at', s.created_at, 'refreshed_at', s.rotated_at,
    'revoked_at', coalesce(s.revoked_at, case when s.session_epoch <> account.session_epoch then account.sessions_ended_at end),
    'access_token_expires_at', s.access_token_expires_at, 'refresh_token_expires_at', s.refresh_token_expires_at,
    'authenticated_at', s.authenticated_at, 'amr', s.amr, 'client', s.client, 'user_agent', s.user_agent, 'label', s.label)
  from session s
  union all
  select 'one_time_passwords', row_number() over (order by o.created_at desc), jsonb_build_object(
    'otp_id', o.id, 'identifier', o.identifier, 'purpose', o.purpose, 'delivery', o.delivery, 'attempts', o.attempts, 'created_at', o.created_at,
    'expires_at', o.expires_at, 'verified_at', o.verified_at, 'languages', o.languages, 'autofill', o.autofill)
  from otp o
  union all
  select 'delivery_attempts', row_number() over (order by a.started_at desc), jsonb_build_object(
    'otp_id', a.otp_id, 'provider', a.provider, 'channel', a.channel, 'outcome', a.outcome, 'started_at', a.started_at,
    'vendor_message_id', a.vendor_message_id, 'receipt', a.receipt, 'receipt_at', a.receipt_at)
  from attempt a
  union all
  select 'send_decisions', row_number() over (order by d.at desc), jsonb_build_object(
    'otp_id', d.otp_id, 'at', d.at, 'prefix', d.prefix, 'country', d.country, 'client', d.own_client, 'purpose', d.purpose, 'number_type', d.number_type)
  from decision d
  union all
  select 'known_clients', row_number() over (order by k.logged_in_at desc), jsonb_build_object(
    'client', k.client, 'logged_in_at', k.logged_in_at)
  from client k
  union all
  select 'guest_sessions', row_number() over (order by g.promoted_at desc), jsonb_build_object(
    'session_id', g.guest_session_id, 'promoted_at', g.promoted_at)
  from promotion g
  union all
  select 'rate_limits', row_number() over (order by c.name), jsonb_build_object(
    'name', c.name, 'requests', c.requests, 'last_at', c.last_at)
  from counted c
  union all
  select 'wrong_codes', row_number() over (order by w.first_guess_at desc, w.purpose), jsonb_build_object(
    'purpose', w.purpose, 'guesses', w.guesses, 'since', w.first_guess_at)
  from tried t
  join private.guess_count w on w.identifier = t.identifier and w.account_id is not distinct from t.account_id
  where w.identifier_type in ('PHONE', 'EMAIL')
  union all
  select 'earlier_phones', row_number() over (order by greatest(e.held_until, e.asked_at) desc), jsonb_build_object(
    'phone', e.phone, 'held_until', e.held_until, 'asked_at', e.asked_at)
  from private.earlier_phone e
  where e.account_id = account.id
  union all
  select 'factors', row_number() over (order by f.id desc), jsonb_build_object(
    'factor_id', f.id, 'kind', f.kind, 'label', f.label, 'created_at', f.created_at, 'confirmed_at', f.confirmed_at,
    'last_used_at', f.last_used_at)
  from "user".factor f
  where f.user_id = account.id
  union all
  -- By time, because ids of one millisecond have no order. Strangers cause some of them: their addresses are not the user's.
  select 'events', row_number() over (order by e.at desc, e.id desc), jsonb_build_object(
    'event_id', e.id, 'type', e.type, 'at', e.at, 'session_id', e.session_id, 'actor', split_part(e.actor, ':', 1),
    'client', case when e.actor = 'user' then e.client end, 'data', e.data)
  from event e
$$;

comment on function private.export_rows("user".account, integer) is
$$What is stored about an account, as rows: section (the name of a list in private.export_account), n (1: the newest of its list) and
content. Holds no hash, no token id and no client address of others: a client that requested a code without being signed in is shown
only while a session or a login from there is stored. One-time passwords are those of the time in which a phone was this account's: others
may be of another person who had the number. most: rows of a list.$$;
