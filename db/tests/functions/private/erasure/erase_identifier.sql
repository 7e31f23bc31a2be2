begin;
select plan(4);
select test.clean_slate();
create function pg_temp.fill(phone text) returns void language plpgsql as $$
begin
  perform test.send_code(phone, 'SIGNUP'), test.make_registration(phone);
  insert into private.guess_count values ('PHONE', phone, 'SIGNUP', 1, now());
  perform private.lock_verification_state('PHONE', phone), test.insert_hits('LOGINS_PER_PHONE:' || phone, now());
end $$;
create function pg_temp.rows_with(identifier text) returns bigint language sql as $$
  select (select count(*) from platform.otp_transaction o where o.identifier = rows_with.identifier)
    + (select count(*) from platform.delivery_attempt a join platform.otp_transaction o on o.id = a.otp_id where o.identifier = rows_with.identifier)
    + (select count(*) from private.pending_registration where phone = rows_with.identifier)
    + (select count(*) from private.guess_count g where g.identifier = rows_with.identifier)
    + (select count(*) from private.verification_state s where s.identifier = rows_with.identifier)
    + (select count(*) from platform.rate_limit where key = 'LOGINS_PER_PHONE:' || rows_with.identifier)
$$;
select pg_temp.fill('+12025550101'), pg_temp.fill('+12025550102');
select is(pg_temp.rows_with('+12025550101'), 6::bigint, 'six tables have a row of the phone');
select private.erase_identifier('PHONE', '+12025550101');
select is(pg_temp.rows_with('+12025550101'), 0::bigint, 'all of them are deleted');
select is(pg_temp.rows_with('+12025550102'), 6::bigint, 'those of another phone are not');
select "user".invite('+12025550103', 'ada@example.com'), "user".invite('+12025550104', 'bob@example.com');
select private.erase_identifier('EMAIL', 'ada@example.com');
select is((select array_agg(row(phone, email)::text order by phone) from "user".invitation), array['(+12025550103,)', '(+12025550104,bob@example.com)'],
  'an invitation loses an email that is erased, and stays, because its phone is another person''s');

select * from finish();
rollback;
