begin;
select plan(8);
select is(private.route_of('{"providerToUse": "http", "routes": {"+1": {}, "+1876": {}, "+44": {}}}', phone), route, coalesce(phone, 'null') || ': ' || coalesce(route, 'none'))
from (values ('+12025550101', '+1'), ('+18765550101', '+1876'), ('+447624123456', '+44'), ('+4915112345678', null), ('someone@example.org', null), (null, null)) p (phone, route);
select is(private.route_of('{"providerToUse": "http"}', '+12025550101'), null, 'a record without routes has none');
select is(private.route_of(null, '+12025550101'), null, 'nor has none');
select * from finish();
rollback;
