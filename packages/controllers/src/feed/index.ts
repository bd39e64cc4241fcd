/** What comes and goes among the ready endpoints of Services, for those who balance elsewhere. */
export type { FeedEvent } from './event.ts';
export { createEndpointFeed, type EndpointFeed } from './feed.ts';
export { createFeedPicture, type FeedPicture } from './picture.ts';
export type { EndpointFeedOptions } from './source.ts';
