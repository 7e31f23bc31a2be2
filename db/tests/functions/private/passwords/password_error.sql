begin;
select plan(11);
select test.clean_slate();
select is(private.password_error('password', length, false), null,
  length || ' characters are a valid password') from (values (8), (64), (256)) l (length);
select is((private.password_error('password', 7, false)).code, 'INVALID_REQUEST', 'an invalid password gets INVALID_REQUEST');
select is((private.password_error('password', 7, false)).details, '{"field": "password", "reason": "too_short", "minimum": 8}',
  'a password of seven characters is too short');
select is((private.password_error('password', 0, false)).details, '{"field": "password", "reason": "too_short", "minimum": 8}',
  'an empty password is too short');
select is((private.password_error('newPassword', 257, false)).details, '{"field": "newPassword", "reason": "too_long", "maximum": 256}',
  'a password of 257 characters is too long, and the details name the field of the request');
select is((private.password_error('password', 8, true)).details, '{"field": "password", "reason": "too_common"}',
  'a common password is too common');
select is((private.password_error('password', 7, true)).details ->> 'reason', 'too_short',
  'a password that breaks two rules gets the first one as the reason');
select test.set_setting('PASSWORD_MIN_LENGTH', '12');
select is((private.password_error('password', 11, false)).details, '{"field": "password", "reason": "too_short", "minimum": 12}',
  'a change of PASSWORD_MIN_LENGTH applies at once');
select is(private.password_error('password', 12, false), null, 'a password of the changed PASSWORD_MIN_LENGTH is valid');

select * from finish();
rollback;
