-- Writes the rows that calls change, without any rule: nothing is read, compared or counted. Superuser; see row_costs.ts.
create table bare_row (id uuid primary key, phone text not null, at timestamptz not null);
create table code (number integer primary key, phone text not null, code text not null, otp_id uuid not null, account_id uuid not null);

create function bare_phone(number integer) returns text language sql immutable return '+1212' || 2000000 + number;
create function bare_client(number integer) returns text language sql immutable return format('10.%s.%s.%s', number >> 16, number >> 8 & 255, number & 255);
create function bare_key() returns bytea language sql immutable return decode(repeat('42', 32), 'hex');

create function count_request(subject text, client text) returns void language sql as $$
  insert into platform.rate_limit (key, hits, totals)
  values ('bare:' || subject, array[now()], array[0, 1]), ('bare:' || client, array[now()], array[0, 1]);
$$;

create function count_sends(client text, sends integer, verified integer) returns void language sql as $$
  insert into private.send_count as c (subject, period, starts_at, shard, sends, verified)
  select subject, period, date_trunc(period, now()), 0, sends, verified
  from unnest(array['bare', 'bare:country', 'bare:country', client, client], array['hour', 'hour', 'day', 'hour', 'day']) b (subject, period)
  on conflict on constraint send_count_pkey do update set sends = c.sends + excluded.sends, verified = c.verified + excluded.verified;
$$;

create function insert_row(number integer) returns void language sql as $$
  insert into bare_row values (private.new_id(), bare_phone(number), now());
$$;

create table guest (number integer primary key, session_id uuid not null);
create function refresh(number integer) returns void language plpgsql as $$
declare
  v_session "user".session;
begin
  select s.* into v_session from guest g join "user".session s on s.id = g.session_id where g.number = refresh.number % 500;
  perform api.refresh_session(v_session.id, v_session.refresh_token_id, '10.0.0.1', 'bench');
end
$$;

create function wrong_code(number integer) returns void language sql as $$
  select api.verify_registration(
    phone => bare_phone(number), otp => '000000', code_key => bare_key(), client => bare_client(number), user_id => null,
    user_agent => 'bench', label => null, guest_session_id => null
  );
$$;
create function wrong_code_rows(number integer) returns void language sql as $$
  select count_request('wrong ' || bare_phone(number), 'wrong ' || bare_client(number));
  insert into private.verification_state (identifier_type, identifier, failures, failed_at) values ('PHONE', bare_phone(-number), 1, now());
  insert into private.guess_count (identifier_type, identifier, purpose, guesses, first_guess_at)
  values ('PHONE', bare_phone(-number), 'SIGNUP', 1, now());
$$;

create function send(number integer) returns void language plpgsql as $$
declare
  v_answer api.otp_answer;
  v_message delivery.message;
begin
  v_answer := api.send_otp(
    identifier => bare_phone(number), identifier_type => 'PHONE', purpose => 'LOGIN', client => bare_client(number),
    code_key => bare_key(), country => 'US'
  );
  v_message := delivery.issue_otp_code(v_answer.otp_id, bare_key(), '{}');
  perform delivery.record_attempt(v_message.attempt_id, 'sent', null, null, null, null, 1, null);
  insert into code
  select send.number, a.phone, split_part(v_message.body, ' ', 1), v_answer.otp_id, a.id from "user".account a where a.phone = bare_phone(number);
end
$$;
create function send_rows(number integer) returns void language plpgsql as $$
declare
  v_otp uuid := private.new_id();
  v_attempt uuid := private.new_id();
begin
  perform count_request('send ' || bare_phone(number), 'send ' || bare_client(number));
  insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, counted_at, delivery, created_at, expires_at)
  values (v_otp, bare_phone(-number), 'PHONE', 'SIGNUP', true, now(), 'queued', now(), now() + interval '5 minutes');
  insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
  values (private.new_id(), now(), '+121220', 'US', bare_client(number), 'SIGNUP', 'allowed', v_otp);
  perform count_sends(bare_client(number), 1, 0);
  perform private.queue_send(v_otp, null);
  insert into platform.delivery_attempt (id, otp_id, provider, channel, started_at) values (v_attempt, v_otp, 'console', 'sms', now());
  update platform.otp_transaction set delivery = 'sending', code_hash = bare_key() where id = v_otp;
  update platform.delivery_attempt set outcome = 'sent', duration_ms = 1 where id = v_attempt;
  update platform.otp_transaction set delivery = 'sent', current_since = now() where id = v_otp;
  perform pg_notify('otp_delivery', v_otp::text);
end
$$;

create function login_by_code(number integer) returns void language sql as $$
  select api.log_in_by_otp(
    phone => c.phone, otp => c.code, code_key => bare_key(), client => bare_client(c.number), email => null, user_agent => 'bench', label => null,
    guest_session_id => null
  )
  from code c where c.number = login_by_code.number;
$$;
create function login_by_code_rows(number integer) returns void language plpgsql as $$
declare
  v_code code := (select c from code c where c.number = login_by_code_rows.number);
begin
  perform count_request('login ' || v_code.phone, 'login ' || bare_client(number));
  insert into private.verification_state (identifier_type, identifier) values ('EMAIL', v_code.phone);
  insert into private.known_client (account_id, client, logged_in_at) values (v_code.account_id, 'bare', now());
  insert into "user".session (user_id, amr, authenticated_at, client, user_agent)
  values (v_code.account_id, array['sms'], now(), bare_client(number), 'bench');
  update platform.otp_transaction set verified_at = coalesce(verified_at, now()) where id = v_code.otp_id;
  update platform.send_decision set verified_at = coalesce(verified_at, now()) where otp_id = v_code.otp_id;
  perform count_sends(bare_client(number), 0, 1);
end
$$;
