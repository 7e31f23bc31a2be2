begin;
select plan(33);
select is(private.sms_segments(text), segments, what)
from (values
  ('', 1, 'an empty text is one SMS'),
  (repeat('a', 160), 1, '160 septets are one SMS'),
  (repeat('a', 161), 2, '161 septets are two'),
  (repeat('a', 306), 2, '306 septets are two'),
  (repeat('a', 307), 3, '307 septets are three'),
  (repeat('a', 459), 3, '459 septets are three'),
  (repeat('a', 460), 4, '460 septets are four'),
  (repeat('€', 80), 1, '80 characters of two septets are one SMS'),
  (repeat('€', 80) || 'a', 2, 'a septet more is two'),
  (repeat('€', 152), 2, '152 characters of two septets are two SMS: a pair is not split, so each holds 76'),
  (repeat('€', 153), 3, '153 of them, 306 septets, are three'),
  (repeat('a', 159) || '€', 2, 'a pair that does not fit as septets 160 and 161 makes two'),
  (repeat('a', 158) || '€', 1, 'a pair as septets 159 and 160 fits'),
  (repeat('a', 152) || '€' || repeat('a', 152), 3, 'a pair that would be split between segments moves to the next, which overflows'),
  (repeat('a', 152) || '€' || repeat('a', 151), 2, 'a pair that moves leaves one septet unused'),
  (repeat('a', 151) || '€' || repeat('a', 153), 2, 'a pair that ends a segment costs nothing'),
  (repeat('a', 159) || E'\n', 1, 'a line feed is one septet'),
  (repeat('a', 159) || E'\f', 2, 'a form feed is two'),
  (repeat('a', 159) || '[', 2, 'a bracket is two'),
  (repeat('a', 159) || '@', 1, 'an at sign is one'),
  (repeat('я', 70), 1, '70 units of UCS-2 are one SMS'),
  (repeat('я', 71), 2, '71 units are two'),
  (repeat('я', 134), 2, '134 units are two'),
  (repeat('я', 135), 3, '135 units are three'),
  (repeat('a', 70) || 'я', 2, 'one character beyond GSM-7 makes the whole text UCS-2'),
  (repeat('€', 69) || 'я', 1, 'a character of the extension table is one unit of UCS-2'),
  (repeat('🔑', 35), 1, '35 surrogate pairs are one SMS'),
  (repeat('я', 69) || U&'\FFFF', 1, 'the last character of the first plane is one unit'),
  (repeat('я', 69) || U&'\+010000', 2, 'the first one of the next plane is two'),
  (repeat('🔑', 36), 2, '36 surrogate pairs are two'),
  (repeat('🔑', 66), 2, '66 surrogate pairs are two SMS: a pair is not split, so each holds 33'),
  (repeat('🔑', 67), 3, '67 surrogate pairs, 134 units, are three'),
  (repeat('я', 66) || '🔑' || repeat('я', 66), 3, 'a surrogate pair that would be split moves to the next segment, which overflows')
) t (text, segments, what);

select * from finish();
rollback;
