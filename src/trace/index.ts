/** The way of a request from a name to the pods that answer it: what is chosen at each step, what is left out and why, and what would mend it. */
export { formatMermaid, formatTrace, type TraceStyle } from './format.ts';
export { candidatesOf, type ResolverConfig, resolverOf } from './name/resolver.ts';
export {
  type PodDnsConfig,
  TraceError,
  type TraceNode,
  type TraceObjects,
  type TraceOptions,
  type TracePod,
  type TraceQuestion,
  type TraceService,
} from './objects.ts';
export { podPath } from './origin.ts';
export { type PageOptions, renderPage } from './page/page.ts';
export { renderSvg } from './page/svg.ts';
export { type TraceReasonCode, type TraceReasonRow, traceReasons } from './reasons.ts';
export type { Trace, TraceItem, TraceNote, TraceOutcome, TraceStage, TraceStep } from './trace.ts';
export { traceTarget } from './trace-target.ts';
