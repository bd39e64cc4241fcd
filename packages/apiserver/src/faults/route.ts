import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
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
  if (decision.errorAnswer) return toHttpAnswer(decision.errorAnswer);
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
  return { ...answer, body: engine.wrapStream(call, body[Symbol.asyncIterator](), decision, { splitter: lineSplitter }) };
}

/** Splits the body of a watch, in which each line is an event. */
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

function toHttpAnswer({ error: { status }, retryAfter, asEvent = false }: ErrorAnswer): HttpAnswer {
  const headers = { 'content-type': 'application/json', ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
  if (!asEvent) return { code: status.code, headers, body: `${JSON.stringify(status)}\n` };
  return { code: 200, headers, body: yieldChunk(`${JSON.stringify({ type: 'ERROR', object: status })}\n`) };
}

async function* yieldChunk(text: string): AsyncIterable<string> {
  yield text;
}
