begin;
select plan(3);
select is((select array_agg(s order by s) from unnest(array['delivered', 'read', 'completed', 'sent', 'undelivered']) s
  where private.receipt_of_status(s) = 'delivered'), array['completed', 'delivered', 'read'],
  'a message that arrived or was read, and a call that was answered, are delivered');
select is((select array_agg(distinct private.receipt_of_status(s)) from unnest(array[
    'undelivered', 'failed', 'rejected', 'expired', 'busy', 'no-answer', 'canceled']) s), array['undelivered'],
  'every final status that is no arrival is undelivered');
select is((select array_agg(private.receipt_of_status(s)) from unnest(array[
    'queued', 'sending', 'sent', 'accepted', 'buffered', 'scheduled', 'unknown', 'initiated', 'ringing', 'in-progress', 'DELIVERED', '', null]) s),
  array_fill(null::text, array[13]), 'a status that is not final, and one that nobody documents, mean nothing');
select * from finish();
rollback;
