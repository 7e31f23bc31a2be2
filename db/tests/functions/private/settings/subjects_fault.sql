begin;
select plan(20);
select is(private.subjects_fault(list::jsonb, clients), null, list || ' is a list' || case when clients then ' with clients' else '' end)
from (values ('[]', false), ('["+1", "+44", "+998", "+1876", "+447624", "+44762412"]', false), ('["192.0.2.1", "2001:db8:1:2::/64", "::1", "+44"]', true)) c (list, clients);
select is(private.subjects_fault((select jsonb_agg(text '+44') from generate_series(1, 1000)), false), null, 'a list may have 1000 entries');
select isnt(private.subjects_fault((select jsonb_agg(text '+44') from generate_series(1, 1001)), false), null, 'a list may not have 1001 entries');
select ok(private.subjects_fault(list::jsonb, clients) like 'must be a list of calling codes%', coalesce(list, 'null') || ' is none')
from (values (null, false), ('"+44"', false), ('{}', false), ('[44]', false), ('["44"]', false), ('["+"]', false), ('["+0"]', false), ('["+447624123"]', false),
  ('["+44 7624"]', false), ('["192.0.2.1"]', false), ('["2001:db8::1"]', true), ('["2001:DB8::/64"]', true), ('["example.org"]', true), ('[null]', true)) c (list, clients);
select is(private.subjects_fault('[1]', true), 'must be a list of calling codes of 1 to 8 digits, such as "+44", and client addresses, such as '
  || '"192.0.2.1" or "2001:db8::/64": 1000 entries at most', 'the sentence says what may be in it');

select * from finish();
rollback;
