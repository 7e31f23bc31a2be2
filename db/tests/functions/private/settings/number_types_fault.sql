begin;
select plan(9);
select is(private.number_types_fault(list::jsonb), null, list || ' is a list of types')
from (values ('[]'), ('["PAGER"]'), ('["PREMIUM_RATE", "INVALID", "FIXED_LINE"]')) c (list);
select is(private.number_types_fault(list::jsonb), 'must be a list of types of numbers, each once: FIXED_LINE, FIXED_LINE_OR_MOBILE, MOBILE, PAGER, '
  || 'PERSONAL_NUMBER, PREMIUM_RATE, SHARED_COST, TOLL_FREE, UAN, VOICEMAIL, VOIP, INVALID', coalesce(list, 'null') || ' is none')
from (values (null), ('"PAGER"'), ('["pager"]'), ('[1]'), ('{"PAGER": 1}')) c (list);
select isnt(private.number_types_fault((select jsonb_agg(text 'PAGER') from generate_series(1, 13))), null, 'a list has no end without a bound');
select * from finish();
rollback;
