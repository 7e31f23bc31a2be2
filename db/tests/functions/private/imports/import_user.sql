begin;
select plan(15);
select test.clean_slate();
select test.make_account('+12025550109');
select test.make_registration('+12025550101'), test.make_registration('+12025550102');
create function pg_temp.import(phone text, fingerprint text default 'first', created_at timestamptz default '2019-05-06', parameters text default 'its parameters',
  id uuid default null, external_id text default null)
returns text language sql as $$
  select (private.import_user(
    row(phone, 'ada@example.com', 'not stored', parameters, created_at, fingerprint::bytea, id, external_id)::private.imported_user,
    case when parameters is not null then private.hash_password(test.prehash('x')) end)).outcome
$$;
select is(pg_temp.import('+12025550101'), 'imported', 'a user is imported');
select is((select row(a.email, a.foreign_parameters, a.created_at, a.password_hash is not null)::text from "user".account a where a.phone = '+12025550101'),
  row('ada@example.com', 'its parameters', '2019-05-06'::timestamptz, true)::text, 'the account has the values of the line');
select ok((select a.phone_verified_at >= now() and a.updated_at >= now() and a.last_used_on >= (now() at time zone 'UTC')::date
  from "user".account a where a.phone = '+12025550101'), 'the phone counts as verified and the account as used, both now');
select test.set_setting('PHONE_RECYCLED_AFTER_DAYS', '30');
select ok((select not private.is_recycled(a) from "user".account a where a.phone = '+12025550101'), 'an account with an old created_at is not recycled');
select is((select array_agg(phone) from private.pending_registration), array['+12025550102'], 'registrations of the phone end');
select is(pg_temp.import('+12025550101'), 'present', 'the same line again is there already');
update "user".account set phone = '+12025550103' where phone = '+12025550101';
select is(pg_temp.import('+12025550101'), 'present', 'also when the user has changed the phone since');
select is(pg_temp.import('+12025550103', 'second'), 'phone_taken', 'another line with its phone is refused');
select is(pg_temp.import('+12025550109', 'third'), 'phone_taken', 'a line with the phone of an account that was not imported is refused');
select is(pg_temp.import('+12025550104', 'fourth', null, null), 'imported', 'a line needs neither a hash nor a time');
select is(pg_temp.import('+12025550105', 'fifth', id => '6f1c0000-0000-4000-8000-000000000001', external_id => 'sms|1'), 'imported',
  'a line may carry both ids');
select is((select a.id || ' ' || a.external_id from "user".account a where a.phone = '+12025550105'), '6f1c0000-0000-4000-8000-000000000001 sms|1',
  'the account keeps them');
select is(pg_temp.import('+12025550106', 'sixth', id => '6f1c0000-0000-4000-8000-000000000001'), 'id_taken', 'an id belongs to one account');
select is(pg_temp.import('+12025550106', 'sixth', external_id => 'sms|1'), 'external_id_taken', 'so does an external id');
select is((select o.id from private.import_user(row('+12025550105', 'ada@example.com', 'x', 'its parameters', '2019-05-06', 'fifth'::bytea, null, null)::private.imported_user, null) o),
  '6f1c0000-0000-4000-8000-000000000001', 'a line that was imported before tells which account it made');
select * from finish();
rollback;
