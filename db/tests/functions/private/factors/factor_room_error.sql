begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select test.make_factor(actor.id, n < 9) from actor, generate_series(1, 9) n;
select is(private.factor_room_error(id), null, 'there is room for a tenth factor') from actor;
select test.make_factor(id, false) from actor;
select is((private.factor_room_error(id)).details, '{"reason": "too_many_factors", "maximum": 10}', 'and for no eleventh') from actor;
update "user".factor set created_at = now() - interval '61 minutes' where confirmed_at is null;
select is(private.factor_room_error(id), null, 'one that nobody confirmed within an hour makes room') from actor;
select test.set_setting('SECOND_FACTOR', '"off"');
select is((private.factor_room_error(id)).details ->> 'reason', 'not_enabled', 'while nobody is asked for one, none is added') from actor;

select * from finish();
rollback;
