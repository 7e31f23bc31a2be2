begin;
select plan(25);
select is(private.current_number(former), current, former || ' is today ' || current) from (values
  ('+22997123456', '+2290197123456'),
  ('+22921301234', '+2290121301234'),
  ('+5215512345678', '+525512345678'),
  ('+5216561234567', '+526561234567'),
  ('+551187654321', '+5511987654321'),
  ('+553191886910', '+5531991886910'),
  ('+22501234567', '+2250101234567'),
  ('+22541234567', '+2250141234567'),
  ('+22505234567', '+2250505234567'),
  ('+22566234567', '+2250566234567'),
  ('+22507051811', '+2250707051811'),
  ('+22598234567', '+2250798234567')
) c (former, current);
select is(private.current_number(phone), phone, phone || ' is of today''s plan, or no number of these plans')
from unnest(array[
  '+12125550123', '+551177654321', '+551134567890', '+525512345678', '+2290197123456', '+2250707051811',
  '+22520123456', '+22560234567', '+2290197123', '+521551234567', '+5511987654321', 'someone@example.com'
]) phone;
select is(private.current_number(null), null, 'no phone is none');
select * from finish();
rollback;
