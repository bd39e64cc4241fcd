import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
import { noSuchResource } from '../registry/errors.ts';
import { type Call, callOfRequest } from './call.ts';
import type { Engine, Fate } from './engine.ts';
import type { Refusal } from './errors.ts';
import type { Parting } from './limits.ts';

/** A route on which faults are injected. A broken connection is a rejection with the code ECONNRESET, of the answer or of its body. */
export function createFragileRoute(inner: Route, engine: Engine): Route {
  return (request) => {
    const call = callOfRequest(request);
    try {
      const fate = call ? engine.begin(() => call) : engine.requireUp();
      if (fate && call) return hit(inner, engine, request, { call, fate });
    } catch (error) {
      return Promise.reject(error);
    }
    const answer = inner(request);
    if (answer === undefined) return undefined;
    return engine.guard(undefined, () => answer).then((whole) => (call ? withStream(engine, call, undefined, whole) : whole));
  };
}

async function hit(
  inner: Route,
  engine: Engine,
  request: HttpRequest,
  { call, fate }: { readonly call: Call; readonly fate: Fate },
): Promise<HttpAnswer> {
  await engine.delay(fate, request.signal);
  if (fate.refusal) return answerOf(fate.refusal);
  // For a watch, the crash happens when its stream begins.
  const { fatal: _, ...survived } = fate;
  const answer = await engine.guard(call.verb === 'watch' ? survived : fate, () => {
    const given = inner(request);
    if (given === undefined) throw noSuchResource();
    return given;
  });
  return withStream(engine, call, fate, answer);
}

function withStream(engine: Engine, call: Call, fate: Fate | undefined, answer: HttpAnswer): HttpAnswer {
  const { body } = answer;
  if (call.verb !== 'watch' || typeof body === 'string' || body instanceof Uint8Array) return answer;
  return { ...answer, body: engine.stream(call, body[Symbol.asyncIterator](), fate, { parting: lines }) };
}

/** Each line is an event of the watch. */
const lines: Parting<string> = {
  count: (text) => {
    let count = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
    return count;
  },
  split(text, events) {
    let end = 0;
    for (let left = events; left > 0; left--) end = text.indexOf('\n', end) + 1;
    return [text.slice(0, end), text.slice(end)];
  },
};

function answerOf({ error: { status }, retryAfter, asEvent = false }: Refusal): HttpAnswer {
  const headers = { 'content-type': 'application/json', ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
  if (!asEvent) return { code: status.code, headers, body: `${JSON.stringify(status)}\n` };
  return { code: 200, headers, body: only(`${JSON.stringify({ type: 'ERROR', object: status })}\n`) };
}

async function* only(text: string): AsyncIterable<string> {
  yield text;
}
