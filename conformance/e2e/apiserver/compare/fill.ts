import { isDeepStrictEqual } from 'node:util';
import { encodeBody, isProtobuf } from './protobuf.ts';
import type { EditedAnswer, Step } from './step.ts';

/** The bodies of earlier answers, by the names of their steps. */
export type Answers = ReadonlyMap<string, unknown>;

/** Replaces the placeholders in a step's path and body by fields of earlier answers, and encodes the body. */
export function fillPlaceholders(
  { path, body, headers = {} }: Step,
  answers: Answers,
): { path: string; body?: string | Uint8Array | undefined } {
  return { path: fillText(path, answers, encodeURIComponent), body: fillBody(body, answers, headers['content-type']) };
}

function fillBody(body: unknown, answers: Answers, type: string | undefined): string | Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  if (typeof body === 'string') return fillText(body, answers);
  const value = fillValue(isEditedAnswer(body) ? applyMergePatch(answers.get(body.answerName) ?? {}, body.changes) : body, answers);
  return isProtobuf(type) ? encodeBody(value as object) : JSON.stringify(value);
}

function fillValue(value: unknown, answers: Answers): unknown {
  if (typeof value === 'string') return fillText(value, answers);
  if (Array.isArray(value)) return value.map((item) => fillValue(item, answers));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, answers)]));
}

function fillText(text: string, answers: Answers, encode: (value: string) => string = (value) => value): string {
  return text.includes('{{') ? text.replaceAll(/\{\{([^}]+)\}\}/g, (_, path: string) => encode(fieldOf(path, answers))) : text;
}

/** Returns a field of an answer as text. A missing field becomes `missing-` and its path, so that it is visible in the request. */
function fieldOf(path: string, answers: Answers): string {
  const [name = '', ...keys] = path.split('.');
  let value = answers.get(name);
  for (const key of keys) value = (value as Record<string, unknown> | undefined)?.[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : `missing-${path}`;
}

function isEditedAnswer(body: unknown): body is EditedAnswer {
  return (
    typeof body === 'object' &&
    body !== null &&
    'answerName' in body &&
    isDeepStrictEqual(Object.keys(body).sort(), ['answerName', 'changes'])
  );
}

function applyMergePatch(target: unknown, changes: unknown): unknown {
  if (!isObject(changes)) return changes;
  const result = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, change] of Object.entries(changes)) {
    if (change === null) result.delete(key);
    else result.set(key, applyMergePatch(result.get(key), change));
  }
  return Object.fromEntries(result);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
