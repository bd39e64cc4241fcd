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

/** Requests that single-field changes do not cover. */
export function handmade(): Request[] {
  const lines = readFileSync(join(import.meta.dirname, 'handmade.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => requestOf(JSON.parse(line, revive) as Line));
}

function requestOf({ verb, base: name, changeMetadata, changeSpec, ...fields }: Line): Request {
  const base = bases.find((each) => each.name === name);
  if (!base) throw new Error(`no base ${name}`);
  const { metadata, spec } = base.object as { metadata: Json; spec?: Json };
  const body = {
    ...base.object,
    ...fields,
    ...(changeMetadata && { metadata: { ...metadata, ...changeMetadata } }),
    ...(changeSpec && { spec: { ...spec, ...changeSpec } }),
  };
  return { resource: base.resource, verb, ...(verb !== 'create' && { base: name }), body: withoutGone(body) };
}

/** Shortens long strings. */
function revive(_key: string, value: unknown): unknown {
  const repeat = (value as { $repeat?: [string, number] } | null)?.$repeat;
  return repeat ? repeat[0].repeat(repeat[1]) : value;
}

function withoutGone(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutGone);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== '$gone');
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutGone(each)]));
}
