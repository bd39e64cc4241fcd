export { createDiscoveryRoutes, type DiscoveryOptions } from './routes.ts';
