-- Two users, in turn. Run it as the owner of the database, where the extension pgtap is installed: pg_prove -d "$DATABASE_URL" schema.pgtap.sql
begin;
select plan(11);
grant latchkey_owner, latchkey_application, latchkey_user, latchkey_guest to current_user;

-- Two accounts with a session each, as Latchkey would make them.
set local role latchkey_owner;
insert into "user".account (id, phone, phone_verified_at)
values ('aaaaaaaa-0000-4000-8000-000000000001', '+12025550101', now()), ('bbbbbbbb-0000-4000-8000-000000000001', '+12025550102', now());
insert into "user".session (id, user_id)
values ('aaaaaaaa-0000-4000-8000-000000000002', 'aaaaaaaa-0000-4000-8000-000000000001'),
  ('bbbbbbbb-0000-4000-8000-000000000002', 'bbbbbbbb-0000-4000-8000-000000000001');
reset role;

create function pg_temp.become(letter text) returns void language plpgsql as $$
begin
  reset role;
  set local role latchkey_application;
  perform latchkey.begin_session(jsonb_build_object('sub', repeat(letter, 8) || '-0000-4000-8000-000000000001',
    'sid', repeat(letter, 8) || '-0000-4000-8000-000000000002', 'user_type', 'user', 'token_use', 'access'));
  set local role latchkey_user;
end
$$;

select pg_temp.become('a');
select lives_ok($$insert into public.note (id, text) values ('00000000-0000-4000-8000-000000000001', 'Ada''s')$$, 'Ada writes a note');
select lives_ok($$insert into public.tag values ('00000000-0000-4000-8000-000000000001', 'mine')$$, 'and tags it');
select results_eq('select text from public.note', array['Ada''s'], 'she sees it');

select pg_temp.become('b');
select is_empty('select text from public.note', 'Bob does not');
select is_empty('select name from public.tag', 'nor its tags');
select is_empty($$update public.note set text = 'Bob''s' returning 1$$, 'he cannot change it');
select is_empty('delete from public.note returning 1', 'or delete it');
select throws_ok($$insert into public.tag values ('00000000-0000-4000-8000-000000000001', 'his')$$, '42501', null, 'or tag it');
select throws_ok($$insert into public.note (user_id, text) values ('aaaaaaaa-0000-4000-8000-000000000001', 'hers')$$, '42501', null,
  'or write one in her name');

reset role;
set local role latchkey_owner;
update "user".session set revoked_at = clock_timestamp() where id = 'aaaaaaaa-0000-4000-8000-000000000002';
select pg_temp.become('a');
select is_empty('select text from public.note', 'after her logout Ada''s session sees nothing, although its token is still valid');

reset role;
set local role latchkey_guest;
select throws_ok('select text from public.note', '42501', null, 'a guest has no notes');
reset role;
select * from finish();
rollback;
