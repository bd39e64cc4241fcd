/** The records of a live cluster: its objects, as they are watched, into a zone. */
export { createDnsFeed, type DnsFeed, type DnsFeedOptions } from './feed.ts';
