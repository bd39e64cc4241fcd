/** What comes and goes among the ready endpoints of Services, for those who balance elsewhere. */
export type { FeedDeparture, FeedEndpoint, FeedTarget } from './endpoint.ts';
export type { ChangedEvent, CompleteEvent, FeedEvent, FullEvent, GoneEvent } from './event.ts';
export { createEndpointFeed, type EndpointFeed } from './feed.ts';
export type { EndpointFeedOptions } from './options.ts';
export { createFeedPicture, type FeedPicture } from './picture.ts';
