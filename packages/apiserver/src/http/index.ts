/** Requests for resources, independent of sockets. */
export { createAccessAttributes } from './access.ts';
export { createPlainAnswer, createStatusAnswer } from './answers.ts';
export type { HttpAnswer, HttpRequest, Route } from './exchange.ts';
export {
  createNoAcceptableOutputError,
  createUnknownRepresentationError,
  type NegotiationResult,
  negotiateOutput,
  type Output,
} from './negotiation.ts';
export { createResourceRoute, type ResourceRouteOptions } from './routes.ts';
