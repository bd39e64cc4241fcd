import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import type { Http, HttpRequest, HttpResponse, StreamedResponse } from '../target/http.ts';
import { type Answers, fillPlaceholders } from './fill.ts';
import { decodeAnswer, decodeEvent, isProtobuf, splitFrames } from './protobuf.ts';
import type { Step } from './step.ts';

/** A server's answer to a step, in comparable form. */
export interface Outcome {
  readonly code: number;
  readonly header: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The headers that are compared. */
const HEADERS = ['content-type', 'warning', 'retry-after', 'allow', 'location', 'www-authenticate'];
/** Generous, so that a slow answer on a busy machine does not count as a difference between the servers. */
const TIMEOUT_MS = 60_000;
const REPEAT_INTERVAL_MS = 50;

/** Sends a step, repeatedly if it has `until`. If the step is a watch, runs `during` while the watch is open, and then reads the events. */
export async function performStep(http: Http, step: Step, answers: Answers, during: () => Promise<void>): Promise<Outcome> {
  const request = { method: step.method, headers: step.headers ?? {}, ...fillPlaceholders(step, answers) };
  if (step.until !== undefined) return repeatRequest(http, request, step.until);
  if (step.watch === undefined) return toOutcome(await http.send(request));
  const response = await withDeadline(http.stream(request), `${step.path}: no answer`);
  try {
    await during();
    const body =
      response.code === 200 ? await readEvents(response, step.watch.events) : parseBody(await readAll(response), response.headers);
    return { code: response.code, header: selectHeaders(response.headers), body };
  } finally {
    response.close();
  }
}

async function repeatRequest(http: Http, request: HttpRequest, until: NonNullable<Step['until']>): Promise<Outcome> {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  for (;;) {
    const outcome = toOutcome(await http.send(request));
    if (until(outcome) || Date.now() > deadlineMs) return outcome;
    await pause(REPEAT_INTERVAL_MS);
  }
}

function toOutcome({ code, headers, bytes }: HttpResponse): Outcome {
  return { code, header: selectHeaders(headers), body: parseBody(bytes, headers) };
}

async function readEvents({ chunks, lines, headers }: StreamedResponse, maxEvents = Number.POSITIVE_INFINITY): Promise<unknown> {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  const events: unknown[] = [];
  const received = isProtobuf(String(headers['content-type'])) ? decodeFrames(chunks) : parseLines(lines);
  while (events.length < maxEvents) {
    const next = await withTimeout(received.next(), deadlineMs - Date.now());
    if (next === undefined) return { events, end: `no more events in ${TIMEOUT_MS / 1000} s` };
    if (next.done === true) return { events, end: 'by the server' };
    events.push(next.value);
  }
  return { events, end: 'by the client' };
}

async function* parseLines(lines: AsyncIterable<string>): AsyncGenerator<unknown> {
  for await (const line of lines) yield parseJson(line);
}

async function* decodeFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  for await (const frame of splitFrames(chunks)) yield withTexts(decodeEvent(frame));
}

async function readAll({ chunks }: StreamedResponse): Promise<Buffer> {
  const received: Buffer[] = [];
  for await (const chunk of chunks) received.push(chunk);
  return Buffer.concat(received);
}

function selectHeaders(headers: HttpResponse['headers']): Record<string, string> {
  return Object.fromEntries(HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));
}

/** Parses a body by its Content-Type; anything but JSON, YAML or protobuf stays text. */
function parseBody(bytes: Buffer, headers: HttpResponse['headers']): unknown {
  const type = String(headers['content-type'] ?? '');
  const text = bytes.toString('utf8');
  try {
    if (isProtobuf(type)) return withTexts(decodeAnswer(bytes));
    if (/^application\/(?:[\w.-]+\+)?json/.test(type)) return parseJson(text);
    if (type.startsWith('application/yaml')) return parse(text);
    return type.includes('protobuf') ? '<binary>' : text;
  } catch {
    return text;
  }
}

/** Replaces BigInts by texts, as `parseJson` does. */
function withTexts(value: unknown): unknown {
  if (typeof value === 'bigint') return `the integer ${value}`;
  if (Array.isArray(value)) return value.map(withTexts);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTexts(each)]));
}

/** Parses JSON. An integer that JavaScript would round becomes a text with its digits. */
function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const revive = (_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
    typeof value === 'number' && String(value) !== source && /^-?\d+$/.test(source) ? `the integer ${source}` : value;
  return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]);
}

async function withDeadline<T>(work: Promise<T>, message: string): Promise<T> {
  const result = await withTimeout(
    work.then((value) => ({ value })),
    TIMEOUT_MS,
  );
  if (result === undefined) throw new Error(`${message} in ${TIMEOUT_MS / 1000} s`);
  return result.value;
}

/** Returns the result of a promise, or undefined after a timeout. */
async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
