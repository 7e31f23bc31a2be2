begin;
select plan(10);
select test.clean_slate();
create function pg_temp.keys(client text) returns text[] language sql
as $$ select array_agg(r.key || ' ' || r.requests) from unnest(private.client_rules('OTP_SEND_PER_IP', client)) r $$;
select is(pg_temp.keys('192.0.2.1'), array['OTP_SEND_PER_IP:192.0.2.1 10'], 'an IPv4 client has the rule of its address');
select is(pg_temp.keys('2001:db8:1:2::/64'), array['OTP_SEND_PER_IP:2001:db8:1:2::/64 10', 'OTP_SEND_PER_IP:2001:db8:1::/48 100'],
  'an IPv6 client also has that of its /48, which is ten times as wide');
select is(pg_temp.keys('2001:db8:1::/64'), array['OTP_SEND_PER_IP:2001:db8:1::/64 10', 'OTP_SEND_PER_IP:2001:db8:1::/48 100'], 'so has the first /64 of a /48');
select test.set_setting('REGISTER_PER_IP', '"off"');
select is(private.client_rules('REGISTER_PER_IP', '2001:db8:1:2::/64')::text, '{NULL,NULL}', 'a limit that is off has no rule');

-- Each limit of a client
create function pg_temp.network(n integer) returns text language sql as $$ select format('2001:db8:1:%s::/64', to_hex(n)) $$;
create function pg_temp.refused(call text) returns text language plpgsql as $$
declare
  v_error api.error;
begin
  for v_n in 1 .. 11 loop
    execute call into v_error using pg_temp.network(v_n), '+120255501' || lpad(v_n::text, 2, '0');
    if v_error is distinct from null and v_error.code = 'RATE_LIMIT_EXCEEDED' then
      return format('%s %s/%s', v_n, v_error.details ->> 'policy', v_error.details ->> 'requests');
    end if;
  end loop;
end
$$;
select test.set_setting(key, '"1/3600"')
from unnest(array['OTP_SEND_PER_IP', 'REGISTER_PER_IP', 'GUEST_PER_IP', 'LOGIN_FAILURES_PER_IP', 'OTP_VERIFY_PER_IP', 'ADMIN_FAILURES_PER_IP']) key;
select is(pg_temp.refused($$select (c.error).* from api.send_otp($2, 'PHONE', 'LOGIN', $1, test.code_key(), 'US') c$$),
  '11 OTP_SEND_PER_IP/10', 'the /64s of one /48 together have ten times a client''s sends');
select is(pg_temp.refused($$select (c.error).* from api.create_guest_session($1, null) c$$), '11 GUEST_PER_IP/10', 'guest sessions');
select is(pg_temp.refused($$select (c.error).* from api.register($2, null, test.prehash('x'), 12, false, $1) c$$), '11 REGISTER_PER_IP/10', 'registrations');
select is(pg_temp.refused($$select (c.error).* from api.log_in($2, test.prehash('x'), $1, null, null, null) c$$), '11 LOGIN_FAILURES_PER_IP/10', 'failed logins');
select is(array[
  pg_temp.refused($$select (c.error).* from private.check_otp(test.attempt('PHONE', $2, 'LOGIN', '123456', $1)) c$$),
  pg_temp.refused($$select (c.error).* from api.count_admin_failure($1) c$$)
], array['11 OTP_VERIFY_PER_IP/10', '11 ADMIN_FAILURES_PER_IP/10'], 'wrong codes and wrong admin secrets');
select is_empty($$select oid::regprocedure from pg_proc where prosrc ~ 'rate_limit_rule\(''[A-Z_]+_PER_IP'''$$, 'no function makes the rule of a client by itself');
select * from finish();
rollback;
