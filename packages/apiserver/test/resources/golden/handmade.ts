import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bases } from './manifests.ts';
import type { Request } from './requests.ts';

type Json = Record<string, unknown>;

interface Line extends Json {
  readonly verb: Request['verb'];
  readonly base: string;
  /** Metadata or spec fields that replace those of the base. */
  readonly changeMetadata?: Json;
  readonly changeSpec?: Json;
}

/** Reads `handmade.jsonl`: requests that single-field changes do not cover. */
export function readHandmadeRequests(): Request[] {
  const lines = readFileSync(join(import.meta.dirname, 'handmade.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => toRequest(JSON.parse(line, expandRepeat) as Line));
}

function toRequest({ verb, base: name, changeMetadata, changeSpec, ...fields }: Line): Request {
  const base = bases.find((each) => each.name === name);
  if (!base) throw new Error(`no base ${name}`);
  const { metadata, spec } = base.object as { metadata: Json; spec?: Json };
  const body = {
    ...base.object,
    ...fields,
    ...(changeMetadata && { metadata: { ...metadata, ...changeMetadata } }),
    ...(changeSpec && { spec: { ...spec, ...changeSpec } }),
  };
  return { resource: base.resource, verb, ...(verb !== 'create' && { base: name }), body: dropMarked(body) };
}

/** Expands `{"$repeat": ["x", 3]}` to "xxx". */
function expandRepeat(_key: string, value: unknown): unknown {
  const repeat = (value as { $repeat?: [string, number] } | null)?.$repeat;
  return repeat ? repeat[0].repeat(repeat[1]) : value;
}

/** Drops fields with the value "$gone". */
function dropMarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropMarked);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== '$gone');
  return Object.fromEntries(entries.map(([key, each]) => [key, dropMarked(each)]));
}
