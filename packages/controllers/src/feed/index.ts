/** Publishes changes of the ready endpoints of Services, for load balancers outside the cluster. */
export type { FeedEvent } from './event.ts';
export { createEndpointFeed, type EndpointFeed } from './feed.ts';
export { createFeedSnapshot, type FeedSnapshot } from './snapshot.ts';
export type { EndpointFeedOptions } from './source.ts';
