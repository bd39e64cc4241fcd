/** Traces a request from a name to the pods that answer it: what each step chooses, what it leaves out and why, and how to fix it. */
export { formatMermaid, formatTrace, type TraceStyle } from './format.ts';
export type { ResolverConfig } from './name/resolver.ts';
export { TraceError, type TraceObjects, type TraceOptions, type TraceQuestion } from './objects.ts';
export { type PageOptions, renderPage } from './page/page.ts';
export { renderSvg } from './page/svg.ts';
export { traceReasons } from './reasons.ts';
export type { Trace, TraceNote, TraceStep } from './trace.ts';
export { traceTarget } from './trace-target.ts';
