/** Events that a controller writes about objects: client-go's tools/record, on a port. */
export type { RecorderEvent } from './event.ts';
export { createEventRecorder, type EventRecorder, type EventRecorderOptions } from './recorder.ts';
