import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
import { negotiateOutput } from '../http/index.ts';
import { mediaTypeByFormat } from '../http/negotiation.ts';
import { encodeProtobuf, encodeWatchEvent } from '../protobuf/index.ts';
import { noSuchResource } from '../registry/errors.ts';
import { type Call, toCall } from './call.ts';
import type { Engine, FaultDecision } from './engine.ts';
import type { ErrorAnswer } from './errors.ts';
import type { EventSplitter } from './triggers.ts';

/**
 * Wraps a route to inject faults. If a fault breaks the connection, the answer or the reading of its body rejects with an error of code
 * ECONNRESET.
 */
export function createFaultInjectingRoute(inner: Route, engine: Engine): Route {
  return (request) => {
    const call = toCall(request);
    try {
      const decision = call ? engine.begin(() => call) : engine.requireUp();
      if (decision && call) return answerWithFaults(inner, engine, request, { call, decision });
    } catch (error) {
      return Promise.reject(error);
    }
    const answer = inner(request);
    if (answer === undefined) return undefined;
    return engine
      .guard(undefined, () => answer)
      .then((resolvedAnswer) => (call ? injectStreamFaults(engine, call, undefined, resolvedAnswer) : resolvedAnswer));
  };
}

async function answerWithFaults(
  inner: Route,
  engine: Engine,
  request: HttpRequest,
  { call, decision }: { readonly call: Call; readonly decision: FaultDecision },
): Promise<HttpAnswer> {
  await engine.delay(decision, request.signal);
  if (decision.errorAnswer) return toHttpAnswer(decision.errorAnswer, request);
  // For a watch, the crash is applied when its stream begins.
  const { crash: _, ...withoutCrash } = decision;
  const answer = await engine.guard(call.verb === 'watch' ? withoutCrash : decision, () => {
    const innerAnswer = inner(request);
    if (innerAnswer === undefined) throw noSuchResource();
    return innerAnswer;
  });
  return injectStreamFaults(engine, call, decision, answer);
}

function injectStreamFaults(engine: Engine, call: Call, decision: FaultDecision | undefined, answer: HttpAnswer): HttpAnswer {
  const { body } = answer;
  if (call.verb !== 'watch' || typeof body === 'string' || body instanceof Uint8Array) return answer;
  return { ...answer, body: engine.wrapStream(call, body[Symbol.asyncIterator](), decision, { splitter: eventSplitter }) };
}

/** Splits a chunk of a watch, which contains only complete events: lines of JSON or frames of protobuf. */
const eventSplitter: EventSplitter<string | Uint8Array> = {
  count: (chunk) => (typeof chunk === 'string' ? lineSplitter.count(chunk) : frameSplitter.count(chunk)),
  split: (chunk, eventCount) =>
    typeof chunk === 'string' ? lineSplitter.split(chunk, eventCount) : frameSplitter.split(chunk, eventCount),
};

const lineSplitter: EventSplitter<string> = {
  count: (text) => {
    let count = 0;
    for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count += 1;
    return count;
  },
  split(text, eventCount) {
    let end = 0;
    for (let remainingCount = eventCount; remainingCount > 0; remainingCount--) end = text.indexOf('\n', end) + 1;
    return [text.slice(0, end), text.slice(end)];
  },
};

/** Each event is preceded by its length in four bytes. */
const frameSplitter: EventSplitter<Uint8Array> = {
  count(bytes) {
    let count = 0;
    for (let offset = 0; offset < bytes.length; offset = endOfFrame(bytes, offset)) count += 1;
    return count;
  },
  split(bytes, eventCount) {
    let end = 0;
    for (let remainingCount = eventCount; remainingCount > 0; remainingCount--) end = endOfFrame(bytes, end);
    return [bytes.subarray(0, end), bytes.subarray(end)];
  },
};

const endOfFrame = ({ buffer, byteOffset }: Uint8Array, offset: number): number =>
  offset + 4 + new DataView(buffer, byteOffset).getUint32(offset);

function toHttpAnswer({ error: { status }, retryAfter, asEvent = false }: ErrorAnswer, { headers: { accept } }: HttpRequest): HttpAnswer {
  const { output, errorOutput } = negotiateOutput(accept);
  const { format } = asEvent ? (output ?? errorOutput) : errorOutput;
  const isProtobuf = format === 'protobuf';
  const headers = {
    'content-type': `${mediaTypeByFormat[isProtobuf ? format : 'json']}${isProtobuf && asEvent ? ';stream=watch' : ''}`,
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  };
  const body = isProtobuf ? encodeProtobuf(status) : `${JSON.stringify(status)}\n`;
  if (!asEvent) return { code: status.code, headers, body };
  return {
    code: 200,
    headers,
    body: yieldChunk(typeof body === 'string' ? `{"type":"ERROR","object":${body.trimEnd()}}\n` : encodeWatchEvent('ERROR', body)),
  };
}

async function* yieldChunk<T>(chunk: T): AsyncIterable<T> {
  yield chunk;
}
