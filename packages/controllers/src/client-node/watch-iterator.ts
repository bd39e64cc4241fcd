import type { Readable } from 'node:stream';
import { ApiError, type Status, type WatchEvent } from 'kube-endpoints/port';
import { createError, createUnreadableError, type RequestLine } from './failures.ts';

export interface WatchIteratorOptions {
  readonly requestLine: RequestLine;
  readonly maxEventBytes: number;
  /** Number of buffered bytes above which the response is paused. */
  readonly maxBufferedBytes: number;
  /** Starts the watch. Later errors are passed to `onError`. */
  open(onError: (error: unknown) => void): Promise<Readable>;
  /** Closes the connection, or cancels the attempt to connect. */
  close(): void;
  /** Whether the caller has aborted the watch; then buffered events are discarded. */
  isAborted(): boolean;
}

/**
 * Iterates over the events of a watch. The request starts with the first `next`. Reads only a little ahead, so that a faster server has to
 * wait. Each event is parsed when it is returned.
 */
export function createWatchIterator(options: WatchIteratorOptions): AsyncIterator<WatchEvent, undefined> {
  const state: State = { lines: createLines(options.maxEventBytes), pendingCalls: [], started: false };
  return {
    next() {
      const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<WatchEvent, undefined>>();
      state.pendingCalls.push({ resolve, reject });
      if (state.started) deliver(options, state);
      else void start(options, state);
      return promise;
    },
    async return() {
      state.started = true;
      discardAndEnd(options, state, {});
      return doneResult;
    },
  };
}

interface State {
  readonly lines: Lines;
  /** Calls of `next` that wait for an event. */
  readonly pendingCalls: { resolve(result: IteratorResult<WatchEvent, undefined>): void; reject(error: unknown): void }[];
  started: boolean;
  response?: Readable;
  /** Set when no more data arrives. Buffered lines are still returned before the end, and an error is reported once. */
  end?: { readonly error?: unknown };
}

const doneResult: IteratorReturnResult<undefined> = { done: true, value: undefined };

async function start(options: WatchIteratorOptions, state: State): Promise<void> {
  const { requestLine, maxEventBytes } = options;
  state.started = true;
  const onError = (error: unknown): void => {
    if (options.isAborted()) discardAndEnd(options, state, { error });
    else finish(options, state, { error });
  };
  try {
    const response = await options.open(onError);
    if (state.end) return;
    state.response = response;
    response.on('data', (chunk: Buffer) => {
      if (state.end) return;
      if (state.lines.add(chunk)) deliver(options, state);
      else onError(createError(requestLine, `an event is longer than ${maxEventBytes} bytes`, 'EMSGSIZE'));
    });
    response.on('end', () => {
      if (state.end) return;
      state.lines.finish();
      finish(options, state, {});
    });
  } catch (error) {
    onError(error);
  }
}

/** Ends the watch after the buffered lines. */
function finish(options: WatchIteratorOptions, state: State, ending: NonNullable<State['end']>): void {
  if (state.end) return;
  state.end = ending;
  options.close();
  deliver(options, state);
}

/** Ends the watch and discards the buffered lines. */
function discardAndEnd(options: WatchIteratorOptions, state: State, ending: NonNullable<State['end']>): void {
  state.lines.clear();
  state.end = ending;
  options.close();
  deliver(options, state);
}

/** Gives lines, or the end, to the pending calls; then resumes or pauses the response. */
function deliver(options: WatchIteratorOptions, state: State): void {
  const { lines, pendingCalls, response } = state;
  while (pendingCalls.length > 0) {
    const line = lines.shift();
    if (line !== undefined) deliverLine(options, state, line);
    else if (state.end) deliverEnd(state);
    else break;
  }
  if (state.end || !response) return;
  if (lines.byteCount === 0) response.resume();
  else if (lines.byteCount > options.maxBufferedBytes) response.pause();
}

function deliverLine(options: WatchIteratorOptions, state: State, line: string): void {
  const pendingCall = state.pendingCalls.shift();
  try {
    pendingCall?.resolve({ done: false, value: parseEvent(options.requestLine, line) });
  } catch (error) {
    pendingCall?.reject(error);
    discardAndEnd(options, state, {});
  }
}

function deliverEnd(state: State): void {
  const pendingCall = state.pendingCalls.shift();
  const { error } = state.end ?? {};
  state.end = {};
  if (error === undefined) pendingCall?.resolve(doneResult);
  else pendingCall?.reject(error);
}

function parseEvent(requestLine: RequestLine, line: string): WatchEvent {
  let event: { readonly type?: unknown; readonly object?: unknown } | null;
  try {
    event = JSON.parse(line);
  } catch (error) {
    throw createUnreadableError(requestLine, 200, line, error);
  }
  if (event?.type === 'ERROR') throw toError(requestLine, event.object);
  if (!eventTypes.has(event?.type) || typeof event?.object !== 'object' || event.object === null) {
    throw createUnreadableError(requestLine, 200, line, new Error('this is not a watch event'));
  }
  return event as WatchEvent;
}

function toError(requestLine: RequestLine, object: unknown): Error {
  const status = object as Status | null | undefined;
  if (status?.kind === 'Status') return new ApiError({ ...status, code: status.code ?? 500 });
  return createError(requestLine, 'the watch ended with an error that is not a Status');
}

const eventTypes: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/** Assembles lines from chunks. */
export interface Lines {
  /** Number of bytes in complete lines. */
  readonly byteCount: number;
  /** @returns false if a line is too long */
  add(chunk: Buffer): boolean;
  /** The next line, without its line break; empty lines are skipped. */
  shift(): string | undefined;
  /** Completes the last line when no more data arrives. */
  finish(): void;
  clear(): void;
}

export function createLines(maxBytes: number): Lines {
  let completeLines: Buffer[] = [];
  let completeBytes = 0;
  let nextIndex = 0;
  let incompleteLine: IncompleteLine = { pieces: [], byteCount: 0 };
  const complete = (end: Buffer): void => {
    const line = incompleteLine.byteCount === 0 ? end : Buffer.concat([...incompleteLine.pieces, end]);
    incompleteLine = { pieces: [], byteCount: 0 };
    if (line.length === 0) return;
    completeLines.push(line);
    completeBytes += line.length;
  };
  return {
    get byteCount() {
      return completeBytes;
    },
    add(chunk) {
      let lineStart = 0;
      for (let lineEnd = chunk.indexOf(lineFeed); lineEnd >= 0; lineEnd = chunk.indexOf(lineFeed, lineStart)) {
        if (incompleteLine.byteCount + lineEnd - lineStart > maxBytes) return false;
        complete(chunk.subarray(lineStart, lineEnd));
        lineStart = lineEnd + 1;
      }
      if (lineStart < chunk.length) {
        incompleteLine.pieces.push(chunk.subarray(lineStart));
        incompleteLine.byteCount += chunk.length - lineStart;
      }
      return incompleteLine.byteCount <= maxBytes;
    },
    shift() {
      const line = completeLines[nextIndex];
      if (line === undefined) return undefined;
      nextIndex += 1;
      completeBytes -= line.length;
      if (nextIndex === completeLines.length) {
        completeLines = [];
        nextIndex = 0;
      }
      return line.toString('utf8');
    },
    finish: () => complete(Buffer.alloc(0)),
    clear() {
      completeLines = [];
      completeBytes = 0;
      nextIndex = 0;
      incompleteLine = { pieces: [], byteCount: 0 };
    },
  };
}

/** The chunks of an incomplete line. */
interface IncompleteLine {
  readonly pieces: Buffer[];
  byteCount: number;
}

const lineFeed = 0x0a;
