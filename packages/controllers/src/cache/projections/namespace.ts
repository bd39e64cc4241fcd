import type { ApiObject } from 'kube-endpoints/port';
import type { ObjectMeta } from 'kube-endpoints/types';
import { type InternTable, noInterning } from './intern.ts';
import { projectMetadata } from './metadata.ts';

/** A namespace, as far as a controller asks whether it is about to go. */
export interface Namespace {
  readonly metadata: ObjectMeta;
  readonly status: { readonly phase: string | undefined };
}

export function projectNamespace({ metadata, status }: ApiObject, table: InternTable = noInterning): Namespace {
  const { phase } = (status ?? {}) as { readonly phase?: string };
  return { metadata: projectMetadata(metadata, undefined, table), status: { phase: table.text(phase) } };
}
