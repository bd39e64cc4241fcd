/** The way of a request from a name to the pods that answer it: what is chosen at each step, what is left out and why, and what would mend it. */
export { formatMermaid, formatTrace, type TraceStyle } from './format.ts';
export type { ResolverConfig } from './name/resolver.ts';
export { TraceError, type TraceObjects, type TraceOptions, type TraceQuestion } from './objects.ts';
export { type PageOptions, renderPage } from './page/page.ts';
export { renderSvg } from './page/svg.ts';
export { traceReasons } from './reasons.ts';
export type { Trace, TraceNote, TraceStep } from './trace.ts';
export { traceTarget } from './trace-target.ts';
