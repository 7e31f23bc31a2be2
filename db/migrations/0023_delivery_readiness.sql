-- A load balancer asks whether this process can serve; whether messages are delivered is another question (GET /ready/delivery).

alter type api.readiness_answer add attribute undelivered text[];
comment on type api.readiness_answer is
  'The names of what keeps the server from serving (failed) and of what keeps messages from being sent (undelivered), each in alphabetical order; empty when nothing does';

alter table private.worker_heartbeat add column providers text[];
comment on column private.worker_heartbeat.providers is
  'The providers for which the worker has what they need in its environment, such as credentials; null if it has not said so';
