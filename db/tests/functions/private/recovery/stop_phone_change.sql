begin;
select plan(4);
select test.clean_slate();
create temp table caller on commit drop as select s.session_id, s.user_id from test.open_session(test.make_account('+12025550101')) s;
insert into private.phone_recovery select user_id, '+12025550102', session_id, now(), now() + interval '1 day' from caller;
select test.forget_events();

select private.stop_phone_change(user_id, array[session_id]) from caller;
select is((select count(*)::integer from private.phone_recovery), 1, 'what a session asked for that stays goes on');
select is(test.events(), '{}', 'and is no event');
select private.stop_phone_change(user_id), private.stop_phone_change(user_id) from caller;
select is((select count(*)::integer from private.phone_recovery), 0, 'else it is stopped');
select is(test.events(), array['phone.change_stopped'], 'once');

select * from finish();
rollback;
