/** Events that a controller writes about objects: client-go's tools/record, through the port. */
export { type Correlated, type Correlator, createCorrelator, type EventPatch, type Written } from './correlate.ts';
export { type CoreEvent, type EventOutcome, type EventType, makeEvent, type Occurrence, type RecorderEvent, type Source } from './event.ts';
export { createEventRecorder, type EventRecorder, type EventRecorderOptions } from './recorder.ts';
