/** A request to send. */
export interface RequestStep {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  /** The Content-Type of the body. Default: application/json. */
  readonly type?: string;
  readonly accept?: string;
}

export interface Answer {
  readonly code: number;
  readonly answer: unknown;
  readonly warnings?: readonly string[];
}

/** A step of a scenario: a request, or a wait for the state of a definition. */
export type Step = RequestStep | { readonly await: 'conditions' | 'established' | 'gone'; readonly name: string };

/** A sequence of requests; scenarios do not share definitions. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

export type Json = Record<string, unknown>;

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const mergePatch = 'application/merge-patch+json';
export const jsonPatch = 'application/json-patch+json';
export const strategicPatch = 'application/strategic-merge-patch+json';
export const applyPatch = 'application/apply-patch+yaml';
export const acceptTable = 'application/json;as=Table;v=v1;g=meta.k8s.io';

export const create = (path: string, body: unknown): RequestStep => ({ method: 'POST', path, body });
export const replace = (path: string, body: unknown): RequestStep => ({ method: 'PUT', path, body });
export const read = (path: string, accept?: string): RequestStep => ({ method: 'GET', path, ...(accept !== undefined && { accept }) });
export const remove = (path: string, body?: unknown): RequestStep => ({ method: 'DELETE', path, ...(body !== undefined && { body }) });
export const patch = (path: string, type: string, body: unknown): RequestStep => ({ method: 'PATCH', path, type, body });

/** Copies a value and replaces the value at a path in it; undefined removes it. */
export function withValueAt<T>(value: T, path: readonly (string | number)[], replacement: unknown): T {
  const [step, ...rest] = path;
  if (step === undefined) return replacement as T;
  if (Array.isArray(value)) return value.map((each, i) => (i === step ? withValueAt(each, rest, replacement) : each)) as T;
  const fields = (value ?? {}) as Json;
  const newValue = withValueAt(fields[step as string], rest, replacement);
  const { [step as string]: _, ...others } = fields;
  return (newValue === undefined ? others : { ...fields, [step as string]: newValue }) as T;
}

export const definitionPathOf = (name: string): string => `${definitionsPath}/${name}`;

/** Creates a definition and waits until its objects are served. */
export function createAndWait(body: Json): readonly Step[] {
  const { name } = body['metadata'] as Json;
  return [create(definitionsPath, body), { await: 'established', name: String(name) }];
}
