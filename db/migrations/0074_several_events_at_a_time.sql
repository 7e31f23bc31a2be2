comment on type delivery.event_message is
  'An event for a target (delivery.next_events). event_id: also its webhook-id. secret_name: of EVENT_SECRETS. payload: the body, JSON; '
  'null, like type: the event is no longer kept';
