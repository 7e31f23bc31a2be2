-- Support looks refusals up by the id of the request (platform.explain_refusal). Other events have no entry.
create index event_request_id on platform.event ((data ->> 'request_id'), id) where data ? 'request_id';

alter table platform.send_decision add column request_id text;
alter table platform.send_decision add constraint send_decision_request_id_is_short check (length(request_id) <= 128);
comment on column platform.send_decision.request_id is
  'X-Request-Id of the request that was refused, which its client may have chosen; null: it was not refused, or came without one';
create index send_decision_request_id on platform.send_decision (request_id, id) where request_id is not null;
