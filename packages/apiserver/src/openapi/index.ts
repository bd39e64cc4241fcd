export { createOpenApiRoute, type OpenApiOptions } from './routes.ts';
