begin;
select plan(11);
select test.clean_slate();
select is(private.password_error('password', length, false), null, length || ' characters keep the rules') from (values (8), (64), (256)) l (length);
select is((private.password_error('password', 7, false)).code, 'INVALID_REQUEST', 'a broken rule makes the request invalid');
select is((private.password_error('password', 7, false)).details, '{"field": "password", "reason": "too_short", "minimum": 8}', 'seven are too few');
select is((private.password_error('password', 0, false)).details, '{"field": "password", "reason": "too_short", "minimum": 8}', 'none are too');
select is((private.password_error('newPassword', 257, false)).details, '{"field": "newPassword", "reason": "too_long", "maximum": 256}',
  '257 are too many, and the field is named as in the request');
select is((private.password_error('password', 8, true)).details, '{"field": "password", "reason": "too_common"}', 'a common password is refused');
select is((private.password_error('password', 7, true)).details ->> 'reason', 'too_short', 'of two rules broken the first is named');
select test.set_setting('PASSWORD_MIN_LENGTH', '12');
select is((private.password_error('password', 11, false)).details, '{"field": "password", "reason": "too_short", "minimum": 12}', 'a length changed by SQL bites at once');
select is(private.password_error('password', 12, false), null, 'and is enough');

select * from finish();
rollback;
