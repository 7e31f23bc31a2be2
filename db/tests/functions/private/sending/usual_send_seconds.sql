begin;
select plan(5);
select test.clean_slate();
select ok(private.usual_send_seconds() between 0.3 and 1.3, 'without a send it is about a second');
select test.send_code('+12025550101', 'LOGIN');
update platform.otp_transaction set created_at = current_since - interval '4.25 seconds';
select is(private.usual_send_seconds(), 4.250, 'it is the time from a request until the vendor had taken the message');
select test.send_code('+12025550102', 'LOGIN');
update platform.otp_transaction set created_at = current_since - interval '7 seconds' where identifier = '+12025550102';
select set_eq('select distinct private.usual_send_seconds() from generate_series(1, 200)', array[4.25, 7.0], 'one of the latest, at random');
select private.withhold_send(test.send_request('+12025550103'));
update platform.otp_transaction set current_since = created_at + interval '1 minute' where delivery = 'withheld';
update platform.otp_transaction set awaited = false where identifier = '+12025550102';
select set_eq('select distinct private.usual_send_seconds() from generate_series(1, 50)', array[4.25], 'only of what was sent while a request waited');
update platform.otp_transaction set created_at = current_since - interval '1 minute', awaited = true where identifier = '+12025550102';
select set_eq('select distinct private.usual_send_seconds() from generate_series(1, 50)', array[4.25],
  'and not of what was sent after the time that a request waits, when its server was gone');
select * from finish();
rollback;
