export { type DiscoveryOptions, discoveryRoutes } from './routes.ts';
