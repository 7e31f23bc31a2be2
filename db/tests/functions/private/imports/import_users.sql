begin;
select plan(8);
select test.clean_slate();
select test.make_account('+12025550102');
select test.make_registration('+12025550103'), test.make_registration('+12025550109');
create function pg_temp.line(phone text, password text default 'correct horse') returns private.imported_user language sql
as $$ select row(phone, null, test.foreign_prehash(password), case when password is not null then 'its parameters' end, null, sha256(phone::bytea), null, null)::private.imported_user $$;
select is((select array_agg(o.outcome order by o.n) from rows from (private.import_users(array[
    pg_temp.line('+12025550101'), pg_temp.line('+12025550102'), pg_temp.line('+12025550103'), pg_temp.line('+12025550104', null)
  ], 4)) with ordinality o (outcome, id, n)), '{imported,phone_taken,imported,imported}', 'each line has its outcome, in their order');
select is((select array_agg(a.phone order by a.phone) from "user".account a
    where a.password_hash = crypto.crypt(test.foreign_prehash('correct horse'), a.password_hash) and a.foreign_parameters = 'its parameters'),
  '{+12025550101,+12025550103}', 'each user has the hash of its own line');
select is((select a.password_hash from "user".account a where a.phone = '+12025550104'), null, 'and none without');
select is((select array_agg(s.identifier) from private.verification_state s), '{+12025550103}',
  'only the phones of pending registrations are locked');
select is((select array_agg(o.outcome order by o.n) from rows from (private.import_users(array[
    pg_temp.line('+12025550101'), pg_temp.line('+12025550105'), pg_temp.line('+12025550105')
  ], 4)) with ordinality o (outcome, id, n)), '{present,imported,present}', 'a second run makes what is missing');
select is_empty($$select private.import_users('{}', 4)$$, 'no line is no work');
select throws_ok(format('select private.import_users(array[(jsonb_populate_record(pg_temp.line(%L), %L))], 4)', '+12025550106', malformed), '23514',
  'a phone is not E.164, or an email not valid', 'no line is imported with ' || malformed) from unnest(array['{"phone": "12025550106"}', '{"email": "Ada@example.org"}']) malformed;
select * from finish();
rollback;
