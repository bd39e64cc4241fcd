/** Requests for resources, independent of sockets. */
export { answerOfError, createPlainAnswer } from './answers.ts';
export type { HttpAnswer, HttpRequest, Route } from './exchange.ts';
export { type Accepted, acceptedBy, noAcceptableOutput, type Output, unknownRepresentation } from './negotiation.ts';
export { type ResourceRoutesOptions, resourceRoutes } from './routes.ts';
