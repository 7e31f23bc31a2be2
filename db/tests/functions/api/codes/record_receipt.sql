begin;
select plan(23);
select test.clean_slate();
create function pg_temp.make_attempt(provider text) returns uuid language sql
as $$ select a.id from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp()) o, private.start_attempt(o, provider) a $$;
create temp table mine on commit drop as select pg_temp.make_attempt('twilio') as id;
create function pg_temp.receive(status text, error_code text default null, provider text default 'twilio') returns api.receipt_answer language sql
as $$ select api.record_receipt(provider, id, null, status, error_code, null, null) from mine $$;
create function pg_temp.receipt() returns text language sql
as $$ select concat_ws(' ', a.receipt, a.receipt_error) from platform.delivery_attempt a join mine using (id) $$;
-- Writing a row changes its ctid.
create function pg_temp.place() returns text language sql
as $$ select string_agg(a.ctid::text, ' ' order by a.id) from platform.delivery_attempt a $$;
create function pg_temp.writes(statement text) returns boolean language plpgsql
as $$
declare
  v_place text := pg_temp.place();
begin
  execute statement;
  return pg_temp.place() <> v_place;
end
$$;

-- Not final, foreign and unknown receipts: answered like any other, and nothing is written
select is(to_jsonb(pg_temp.receive('delivered', null, 'vonage')), '{"error": null, "otp_id": null, "trace": null}', 'a receipt of another provider is answered like any other');
select ok(not pg_temp.writes('select pg_temp.receive(''delivered'', null, ''vonage'')'), 'a receipt of another provider writes nothing');
select is(to_jsonb(pg_temp.receive('sent')), '{"error": null, "otp_id": null, "trace": null}', 'a status that is not final is answered like any other');
select ok(not pg_temp.writes('select pg_temp.receive(''sent'')'), 'a status that is not final writes nothing');
select is(to_jsonb(api.record_receipt('twilio', gen_random_uuid(), 'SM9', 'delivered', null, null, null)), '{"error": null, "otp_id": null, "trace": null}',
  'a receipt of an unknown message is answered like any other');
select ok(not pg_temp.writes('select api.record_receipt(''twilio'', gen_random_uuid(), ''SM9'', ''delivered'', null, null, null)'),
  'a receipt of an unknown message writes nothing');
select is(to_jsonb(api.record_receipt('twilio', null, null, null, null, null, null)), '{"error": null, "otp_id": null, "trace": null}',
  'a receipt without reference and status is answered like any other');
select is(pg_temp.receipt(), '', 'none of them is stored');

-- Forward only
select ok(pg_temp.writes('select pg_temp.receive(''undelivered'', ''30005'')'), 'the first receipt is written');
select is(pg_temp.receipt(), 'undelivered 30005', 'an undelivered message has the vendor''s code');
select ok(a.receipt_at between now() and clock_timestamp(), 'a receipt has its time') from platform.delivery_attempt a join mine using (id);
select ok(not pg_temp.writes('select pg_temp.receive(''undelivered'', ''30005'')'), 'a repeated receipt writes nothing');
select ok(not pg_temp.writes('select pg_temp.receive(''failed'', ''30008'')'), 'another failure of an undelivered message writes nothing');
select pg_temp.receive('delivered');
select is(pg_temp.receipt(), 'delivered', 'a message that arrived after all is delivered, without a code');
select ok(not pg_temp.writes('select pg_temp.receive(''delivered'')'), 'a repeated receipt of an arrival writes nothing');
select ok(not pg_temp.writes('select pg_temp.receive(''undelivered'', ''30005'')'), 'a message that arrived never becomes undelivered');
select is(pg_temp.receipt(), 'delivered', 'the receipt that came out of order is not stored');

-- What else a receipt tells
update mine set id = pg_temp.make_attempt('vonage');
select api.record_receipt('vonage', id, null, 'expired', null, 0.0333, 'EUR') from mine;
select is(pg_temp.receipt(), 'undelivered expired', 'a vendor that gives no code leaves its status as reason');
select is((select row(price, currency)::text from platform.delivery_attempt a join mine using (id)), '(0.0333,EUR)', 'a receipt may name the price');
select delivery.record_attempt(id, 'sent', 'VM1', null, null, null, 100, null) from mine;
select is((select row(outcome, vendor_message_id, receipt, receipt_error, price, currency)::text from platform.delivery_attempt a join mine using (id)),
  '(sent,VM1,undelivered,expired,0.0333,EUR)', 'a receipt that came before the worker recorded the attempt is kept, with its price');
select api.record_receipt('vonage', null, 'VM1', 'delivered', null, 0.01, 'USD') from mine;
select is((select row(receipt, price, currency)::text from platform.delivery_attempt a join mine using (id)), '(delivered,0.0333,EUR)',
  'a known price stays: the receipt of a part names the part''s price');
create temp table priced on commit drop as select pg_temp.make_attempt('vonage') as id;
select api.record_receipt('vonage', id, null, 'delivered', null, 0.01, 'EUR'),
  delivery.record_attempt(id, 'sent', 'VM2', null, 0.02, 'EUR', 100, null) from priced;
select is((select price from platform.delivery_attempt a join priced using (id)), 0.02, 'the price of the whole message replaces that of a part');

select is(test.call_as('latchkey_server', 'api.record_receipt(''twilio'', null, ''SM1'', ''delivered'', null, null, null)', null::api.answer) is null, true,
  'the server may record a receipt');
select * from finish();
rollback;
