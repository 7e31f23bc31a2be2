begin;
select plan(3);
select is(private.hook_refusal(null), null, 'null refuses nothing');
select is(private.hook_refusal('not here'), row('INVALID_REQUEST', '{"reason": "refused_by_hook", "hookReason": "not here"}')::api.error, 'a text is the reason');
select is(length((private.hook_refusal(repeat('x', 300))).details ->> 'hookReason'), 200, 'of which 200 characters are told');
select * from finish();
rollback;
