import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import type { Answered, Http, Sent, Streamed } from '../target/http.ts';
import { type Answers, fill } from './fill.ts';
import type { Step } from './step.ts';

/** A server's answer to a step, in comparable form. */
export interface Outcome {
  readonly code: number;
  readonly header: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const HEADERS = ['content-type', 'warning', 'retry-after', 'allow', 'location', 'www-authenticate'];
/** Generous, because a slow answer on a busy machine is not a difference. */
const TIMEOUT_MS = 60_000;
const REPEAT_MS = 50;

/** Sends a step. A watch stays open until it has received its events, while `during` runs. */
export async function performStep(http: Http, step: Step, answers: Answers, during: () => Promise<void>): Promise<Outcome> {
  const sent = { method: step.method, headers: step.headers ?? {}, ...fill(step, answers) };
  if (step.until !== undefined) return repeated(http, sent, step.until);
  if (step.watch === undefined) return outcomeOf(await http.send(sent));
  const streamed = await within(http.stream(sent), `${step.path}: no answer`);
  try {
    await during();
    const body =
      streamed.code === 200 ? await eventsOf(streamed, step.watch.events) : parseBody((await textOf(streamed)) ?? '', streamed.headers);
    return { code: streamed.code, header: headersOf(streamed.headers), body };
  } finally {
    streamed.close();
  }
}

async function repeated(http: Http, sent: Sent, until: NonNullable<Step['until']>): Promise<Outcome> {
  const limit = Date.now() + TIMEOUT_MS;
  for (;;) {
    const outcome = outcomeOf(await http.send(sent));
    if (until(outcome) || Date.now() > limit) return outcome;
    await pause(REPEAT_MS);
  }
}

function outcomeOf({ code, headers, text }: Answered): Outcome {
  return { code, header: headersOf(headers), body: parseBody(text, headers) };
}

async function eventsOf({ lines }: Streamed, wanted = Number.POSITIVE_INFINITY): Promise<unknown> {
  const limit = Date.now() + TIMEOUT_MS;
  const events: unknown[] = [];
  while (events.length < wanted) {
    const next = await withTimeout(lines.next(), limit - Date.now());
    if (next === undefined) return { events, end: `no more events in ${TIMEOUT_MS / 1000} s` };
    if (next.done === true) return { events, end: 'by the server' };
    events.push(JSON.parse(next.value));
  }
  return { events, end: 'by the client' };
}

async function textOf({ lines }: Streamed): Promise<string> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all.join('\n');
}

function headersOf(headers: Answered['headers']): Record<string, string> {
  return Object.fromEntries(HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));
}

/** Parses a body by its Content-Type; anything but JSON or YAML stays text. */
function parseBody(text: string, headers: Answered['headers']): unknown {
  const type = String(headers['content-type'] ?? '');
  try {
    if (/^application\/(?:[\w.-]+\+)?json/.test(type)) return JSON.parse(text);
    if (type.startsWith('application/yaml')) return parse(text);
    return type.includes('protobuf') ? '<binary>' : text;
  } catch {
    return text;
  }
}

async function within<T>(work: Promise<T>, message: string): Promise<T> {
  const result = await withTimeout(
    work.then((value) => ({ value })),
    TIMEOUT_MS,
  );
  if (result === undefined) throw new Error(`${message} in ${TIMEOUT_MS / 1000} s`);
  return result.value;
}

/** The result of a promise, or undefined after a timeout. */
async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
