/** Watches a live cluster and keeps the DNS records of a zone in sync with it. */
export { createDnsFeed, type DnsFeed, type DnsFeedOptions } from './feed.ts';
