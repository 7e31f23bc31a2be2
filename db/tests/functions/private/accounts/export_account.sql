begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
select is((private.export_account(id)) -> 'sessions', '[]'::jsonb, 'an empty list is there') from actor;
insert into private.verification_state (identifier_type, identifier, failures) values ('PHONE', '+12025550102', 7);
select is((private.export_account(id)) ->> 'wrong_codes_in_a_row', '0', 'nobody has tried wrong codes for its phone') from actor;
select test.open_session(id), test.open_session(other), private.remember_client(id, '192.0.2.1') from actor;
insert into private.verification_state (identifier_type, identifier, failures) values ('PHONE', '+12025550101', 3);
create temp table exported on commit drop as select private.export_account(id) as e from actor;
select is((select e -> 'account' @> '{"phone": "+12025550101", "has_password": true}' from exported), true, 'the account is exported');
select is((select jsonb_array_length(e -> 'sessions') from exported), 1, 'nothing of another account is');
select is((select e ->> 'wrong_codes_in_a_row' from exported), '3', 'wrong codes in a row are');
select test.insert_sessions(id, 499) from actor;
select is((select jsonb_array_length(e -> 'sessions') || (e ->> 'shortened') from actor, private.export_account(id) e), '500[]',
  'a list of 500 rows is whole');
insert into "user".session (user_id) select id from actor;
select is((select jsonb_array_length(e -> 'sessions') || (e ->> 'shortened') from actor, private.export_account(id) e), '500["sessions"]',
  'a list of more than 500 rows is shortened, and named');
select is_empty($$select s.id from "user".session s, exported e
  where e.e::text like any (array['%' || s.access_token_id || '%', '%' || s.refresh_token_id || '%']) or e::text like '%$2a$%'$$,
  'no token id and no hash is exported');
select * from finish();
rollback;
