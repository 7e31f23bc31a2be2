begin;
select plan(1);
select is(private.text_purposes(), array['LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'PHONE_CHANGED', 'default'],
  'there are texts for each purpose of a code, the notice, and all of them');

select * from finish();
rollback;
