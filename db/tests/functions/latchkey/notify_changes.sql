begin;
select plan(18);
create role test_owner;
create role test_other;
grant usage on schema tap, latchkey to test_owner, test_other;
grant execute on function latchkey.notify_changes(regclass), latchkey.notify_change() to test_owner, test_other;
do $$ begin execute format('grant temporary on database %I to test_owner', current_database()); end $$;
create schema shop authorization test_owner;
grant usage on schema shop to test_other;
set local role test_owner;
create table shop."Order" (id integer);
create view shop.orders as select * from shop."Order";
create materialized view shop.stored as select * from shop."Order";
create table shop.whole (id integer) partition by list (id);
create table shop.part partition of shop.whole default;
create table shop.parent (id integer);
create table shop.child () inherits (shop.parent);
create sequence shop.numbers;
create temporary table passing (id integer);
grant all on shop."Order" to test_other;

select lives_ok($$select latchkey.notify_changes('shop."Order"')$$, 'the owner of a table may have its changes notified');
select trigger_is('shop', 'Order', 'latchkey_notify_changes', 'latchkey', 'notify_change', 'by a trigger');
select is(tgtype::integer & 1, 0, 'which runs once per statement')
from pg_trigger where tgrelid = 'shop."Order"'::regclass and tgname = 'latchkey_notify_changes';
select is(tgtype::integer & (4 + 8 + 16 + 32), 4 + 8 + 16 + 32, 'after inserts, updates, deletes and truncates')
from pg_trigger where tgrelid = 'shop."Order"'::regclass and tgname = 'latchkey_notify_changes';
select lives_ok($$select latchkey.notify_changes('shop."Order"')$$, 'a second call is accepted');
select is(count(*)::integer, 1, 'and makes no second trigger') from pg_trigger where tgrelid = 'shop."Order"'::regclass;
select lives_ok($$select latchkey.notify_changes('shop.parent')$$, 'a table from which others inherit is an ordinary one');

select throws_ok(format('select latchkey.notify_changes(%L)', name), '42809', name || ' is not an ordinary table: a view, and a table that is partitioned or inherits, has no trigger that sees all its changes',
  name || ' is refused')
from unnest(array['shop.orders', 'shop.stored', 'shop.whole', 'shop.part', 'shop.child', 'shop.numbers']) name;
select throws_ok($$select latchkey.notify_changes('pg_temp.passing')$$, '42809', null, 'a temporary table is refused');
select throws_ok($$select latchkey.notify_changes('shop.missing')$$, '42P01', 'relation "shop.missing" does not exist', 'a missing table is refused');
select throws_ok('select latchkey.notify_changes(null)', '42P01', 'latchkey.notify_changes needs the name of a table', 'null is refused');
select throws_ok('select latchkey.notify_changes(0)', '42P01', 'latchkey.notify_changes needs the name of a table', 'and so is an oid of no table');
set local role test_other;
select throws_ok($$select latchkey.notify_changes('shop."Order"')$$, '42501', 'only the owner of shop."Order", test_owner, may have its changes notified',
  'whoever has all rights to a table, and does not own it, is refused');
reset role;
select * from finish();
rollback;
