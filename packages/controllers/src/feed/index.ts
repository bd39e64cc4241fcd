/** What comes and goes among the ready endpoints of Services, for those who balance elsewhere. */
export type { ChangedEvent, CompleteEvent, FeedDeparture, FeedEndpoint, FeedEvent, FeedTarget, FullEvent, GoneEvent } from './event.ts';
export { createEndpointFeed, type EndpointFeed } from './feed.ts';
export { createFeedPicture, type FeedPicture } from './picture.ts';
export type { EndpointFeedOptions } from './source.ts';
